// QuickFIX's own initiator sends as many limit orders as it is told, so many in flight, and prints the milliseconds from
// the first order to the last report. Usage: quickfix-initiator <settings> <orders> <in flight> [<number file>]
// With a number file every number is on the disk before its message leaves; else QuickFIX's file store is as it is: it
// writes and does not sync.
#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/Log.h>
#include <quickfix/MessageCracker.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>
#include <quickfix/fix44/NewOrderSingle.h>

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <stdexcept>

using Clock = std::chrono::steady_clock;

class Sender : public FIX::NullApplication {
 public:
  Sender(int orders, int inFlight) : m_orders(orders), m_inFlight(inFlight) {}

  void onLogon(const FIX::SessionID& session) override {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_sent > 0) return;
    m_session = session;
    m_start = Clock::now();
    while (m_sent < m_orders && m_sent < m_inFlight) send();
  }

  void fromApp(const FIX::Message&, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) override {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_done += 1;
    if (m_sent < m_orders) send();
    if (m_done == m_orders) {
      m_end = Clock::now();
      m_finished.notify_all();
    }
  }

  double waitMs() {
    std::unique_lock<std::mutex> lock(m_mutex);
    m_finished.wait(lock, [this] { return m_done == m_orders; });
    return std::chrono::duration<double, std::milli>(m_end - m_start).count();
  }

 private:
  void send() {
    m_sent += 1;
    FIX44::NewOrderSingle order(FIX::ClOrdID("q" + std::to_string(m_sent)), FIX::Side(FIX::Side_SELL),
                                FIX::TransactTime(), FIX::OrdType(FIX::OrdType_LIMIT));
    order.set(FIX::Account("9001"));
    order.set(FIX::Symbol("THYAO"));
    order.set(FIX::OrderQty(100));
    order.set(FIX::Price(10.5));
    order.set(FIX::TimeInForce(FIX::TimeInForce_DAY));
    FIX::Session::sendToTarget(order, m_session);
  }

  const int m_orders;
  const int m_inFlight;
  int m_sent = 0;
  int m_done = 0;
  FIX::SessionID m_session;
  std::mutex m_mutex;
  std::condition_variable m_finished;
  Clock::time_point m_start;
  Clock::time_point m_end;
};

// QuickFIX's file store, and beside it a file that holds the two numbers and is synced with every one that moves.
class SyncedStore : public FIX::MessageStore {
 public:
  SyncedStore(FIX::MessageStore* inner, const char* path) : m_inner(inner), m_file(open(path, O_RDWR | O_CREAT, 0600)) {
    if (m_file < 0) throw std::runtime_error("the number file cannot be opened");
  }
  ~SyncedStore() override {
    close(m_file);
    delete m_inner;
  }
  bool set(int number, const std::string& message) throw(FIX::IOException) override {
    return m_inner->set(number, message);
  }
  void get(int begin, int end, std::vector<std::string>& messages) const throw(FIX::IOException) override {
    m_inner->get(begin, end, messages);
  }
  int getNextSenderMsgSeqNum() const throw(FIX::IOException) override { return m_inner->getNextSenderMsgSeqNum(); }
  int getNextTargetMsgSeqNum() const throw(FIX::IOException) override { return m_inner->getNextTargetMsgSeqNum(); }
  void setNextSenderMsgSeqNum(int number) throw(FIX::IOException) override {
    m_inner->setNextSenderMsgSeqNum(number);
    sync();
  }
  void setNextTargetMsgSeqNum(int number) throw(FIX::IOException) override {
    m_inner->setNextTargetMsgSeqNum(number);
    sync();
  }
  void incrNextSenderMsgSeqNum() throw(FIX::IOException) override {
    m_inner->incrNextSenderMsgSeqNum();
    sync();
  }
  void incrNextTargetMsgSeqNum() throw(FIX::IOException) override {
    m_inner->incrNextTargetMsgSeqNum();
    sync();
  }
  FIX::UtcTimeStamp getCreationTime() const throw(FIX::IOException) override { return m_inner->getCreationTime(); }
  void reset() throw(FIX::IOException) override {
    m_inner->reset();
    sync();
  }
  void refresh() throw(FIX::IOException) override { m_inner->refresh(); }

 private:
  void sync() {
    const int numbers[2] = {m_inner->getNextSenderMsgSeqNum(), m_inner->getNextTargetMsgSeqNum()};
    if (pwrite(m_file, numbers, sizeof numbers, 0) != sizeof numbers || fdatasync(m_file) != 0) {
      throw FIX::IOException("the numbers could not be written");
    }
  }

  FIX::MessageStore* const m_inner;
  const int m_file;
};

class SyncedStoreFactory : public FIX::MessageStoreFactory {
 public:
  SyncedStoreFactory(FIX::MessageStoreFactory& inner, const char* path) : m_inner(inner), m_path(path) {}
  FIX::MessageStore* create(const FIX::SessionID& session) override {
    return new SyncedStore(m_inner.create(session), m_path);
  }
  void destroy(FIX::MessageStore* store) override { delete store; }

 private:
  FIX::MessageStoreFactory& m_inner;
  const char* const m_path;
};

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) return 64;
  FIX::SessionSettings settings(argv[1]);
  Sender sender(std::atoi(argv[2]), std::atoi(argv[3]));
  FIX::FileStoreFactory plain(settings);
  SyncedStoreFactory synced(plain, argc == 5 ? argv[4] : "");
  FIX::MessageStoreFactory& store = argc == 5 ? static_cast<FIX::MessageStoreFactory&>(synced) : plain;
  FIX::SocketInitiator initiator(sender, store, settings);
  initiator.start();
  std::cout << sender.waitMs() << std::endl;
  initiator.stop();
  return 0;
}
