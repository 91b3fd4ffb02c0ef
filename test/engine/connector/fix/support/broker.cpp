// A broker on QuickFIX's session layer (FIX 4.4): it books orders, fills them when it is told to, and answers
// questions. Usage: broker <settings> <book file> accept|refuse
// accept: a ClOrdID that it knows is booked once more; refuse: it is rejected as a duplicate.
// Every booking is a line of the book file, synced before anything is answered, and read again at the start.
// It reads commands, a line each: "hold" (reports wait), "release", "die" (ends after the next booking, before its
// report), "fill <ClOrdID> <quantity so far>". Each is answered with "done <command>" on stdout once it holds.
#include <fcntl.h>
#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketAcceptor.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

struct Order {
  std::string name, symbol, side;
  int quantity = 0, filled = 0;
  bool isCancelled = false;
  bool isOver() const { return isCancelled || filled >= quantity; }
};

class Broker : public FIX::NullApplication {
 public:
  Broker(const std::string& path, bool acceptsKnown) : m_acceptsKnown(acceptsKnown) {
    std::ifstream before(path);
    for (Order one; before >> one.name >> one.symbol >> one.side >> one.quantity;) m_orders.push_back(one);
    m_file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_DSYNC, 0600);
    if (m_file < 0) std::exit(73);
  }

  void onLogon(const FIX::SessionID& session) override {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_session = session;
  }

  void fromApp(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) override {
    std::lock_guard<std::mutex> lock(m_mutex);
    const std::string type = message.getHeader().getField(35);
    if (type == "D") book(message);
    else if (type == "H") tell(message);
    else if (type == "AF") tellAll(message.getField(584));
    else if (type == "F") cancel(message);
  }

  void command(const std::string& line) {
    std::lock_guard<std::mutex> lock(m_mutex);
    std::istringstream words(line);
    std::string what, name;
    words >> what;
    if (what == "hold") m_isHolding = true;
    else if (what == "die") m_isDying = true;
    else if (what == "release") {
      m_isHolding = false;
      for (FIX::Message& held : m_held) FIX::Session::sendToTarget(held, m_session);
      m_held.clear();
    } else if (what == "fill") {
      int filled = 0;
      words >> name >> filled;
      for (Order& order : m_orders) {
        if (order.name != name || order.isOver()) continue;
        order.filled = filled;
        report(order, "F");
      }
    }
    std::cout << "done " << line << std::endl;
  }

 private:
  void book(const FIX::Message& message) {
    Order order;
    order.name = message.getField(11);
    order.symbol = message.getField(55);
    order.side = message.getField(54);
    order.quantity = std::stoi(message.getField(38));
    if (!m_acceptsKnown && find(order.name) != nullptr) {
      FIX::Message refusal = reportOf(order, "8", "8");
      refusal.setField(103, "6");
      send(refusal);
      return;
    }
    const std::string line =
        order.name + " " + order.symbol + " " + order.side + " " + std::to_string(order.quantity) + "\n";
    if (write(m_file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::exit(74);
    if (m_isDying) _exit(9);
    m_orders.push_back(order);
    report(order, "0");
  }

  void tell(const FIX::Message& question) {
    const Order* order = find(question.getField(11));
    Order unknown;
    unknown.name = question.getField(11);
    unknown.symbol = question.getField(55);
    unknown.side = question.getField(54);
    FIX::Message answer = reportOf(order == nullptr ? unknown : *order, "I", order == nullptr ? "8" : statusOf(*order));
    if (order == nullptr) {
      answer.setField(37, "NONE");
      answer.setField(103, "5");
    }
    if (question.isSetField(790)) answer.setField(790, question.getField(790));
    send(answer);
  }

  void tellAll(const std::string& request) {
    std::cout << "asked for all" << std::endl;
    for (const Order& order : m_orders) {
      if (order.isOver()) continue;
      FIX::Message answer = reportOf(order, "I", statusOf(order));
      answer.setField(584, request);
      send(answer);
    }
  }

  void cancel(const FIX::Message& message) {
    Order* order = find(message.getField(41));
    if (order != nullptr && !order->isOver()) {
      order->isCancelled = true;
      FIX::Message done = reportOf(*order, "4", "4");
      done.setField(11, message.getField(11));
      done.setField(41, order->name);
      send(done);
      return;
    }
    FIX::Message refusal;
    refusal.getHeader().setField(35, "9");
    refusal.setField(37, order == nullptr ? "NONE" : "N-" + order->name);
    refusal.setField(11, message.getField(11));
    refusal.setField(41, message.getField(41));
    refusal.setField(39, order == nullptr ? "8" : statusOf(*order));
    refusal.setField(434, "1");
    refusal.setField(102, order == nullptr ? "1" : "0");
    send(refusal);
  }

  Order* find(const std::string& name) {
    for (Order& order : m_orders) if (order.name == name) return &order;
    return nullptr;
  }

  static std::string statusOf(const Order& order) {
    if (order.isCancelled) return "4";
    return order.filled >= order.quantity ? "2" : order.filled > 0 ? "1" : "0";
  }

  void report(const Order& order, const std::string& execType) {
    FIX::Message message = reportOf(order, execType, statusOf(order));
    send(message);
  }

  FIX::Message reportOf(const Order& order, const std::string& execType, const std::string& status) {
    FIX::Message message;
    message.getHeader().setField(35, "8");
    message.setField(37, "N-" + order.name);
    message.setField(17, "E" + std::to_string(getpid()) + "-" + std::to_string(++m_reportCount));
    message.setField(150, execType);
    message.setField(39, status);
    message.setField(11, order.name);
    message.setField(55, order.symbol);
    message.setField(54, order.side);
    message.setField(151, std::to_string(order.isCancelled ? 0 : order.quantity - order.filled));
    message.setField(14, std::to_string(order.filled));
    message.setField(6, order.filled == 0 ? "0" : "10");
    return message;
  }

  void send(FIX::Message& message) {
    if (m_isHolding) m_held.push_back(message);
    else FIX::Session::sendToTarget(message, m_session);
  }

  const bool m_acceptsKnown;
  std::mutex m_mutex;
  std::vector<Order> m_orders;
  std::vector<FIX::Message> m_held;
  FIX::SessionID m_session;
  int m_file = -1;
  int m_reportCount = 0;
  bool m_isHolding = false;
  bool m_isDying = false;
};

int main(int argc, char** argv) {
  if (argc != 4) return 64;
  FIX::SessionSettings settings(argv[1]);
  Broker broker(argv[2], std::string(argv[3]) == "accept");
  FIX::FileStoreFactory store(settings);
  FIX::SocketAcceptor acceptor(broker, store, settings);
  acceptor.start();
  for (std::string line; std::getline(std::cin, line);) broker.command(line);
  acceptor.stop(true);
  return 0;
}
