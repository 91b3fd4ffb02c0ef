// QuickFIX's own initiator sends as many limit orders as it is told, so many in flight, and prints the milliseconds from
// the first order to the last report. Usage: quickfix-initiator <settings> <orders> <in flight>
#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/Log.h>
#include <quickfix/MessageCracker.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>
#include <quickfix/fix44/NewOrderSingle.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <mutex>

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

int main(int argc, char** argv) {
  if (argc != 4) return 64;
  FIX::SessionSettings settings(argv[1]);
  Sender sender(std::atoi(argv[2]), std::atoi(argv[3]));
  FIX::FileStoreFactory store(settings);
  FIX::SocketInitiator initiator(sender, store, settings);
  initiator.start();
  std::cout << sender.waitMs() << std::endl;
  initiator.stop();
  return 0;
}
