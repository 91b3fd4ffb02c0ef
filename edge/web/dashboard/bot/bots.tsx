/** Level bots and webhook bots, their open pairs, their finished trades, and how to send them signals. */
import { useState } from "preact/hooks";
import { type Desk, queryOf } from "../desk/desk.ts";
import type { Account, Bot, Pair } from "../desk/model.ts";
import { useStore } from "../desk/store.ts";
import { Table } from "../part/table.tsx";
import { useReading } from "../part/use-reading.ts";
import { quantityText, timeText } from "../part/words.ts";

type BotKind = "level-bots" | "webhook-bots";

interface HistoryItem {
  readonly id: number;
  readonly symbol: string;
  readonly buyQuantity: number;
  readonly buyOrderDate: string | null;
  readonly sellOrderDate: string | null;
  readonly hourCount: number;
  readonly description: string;
}

const LEG_STATES = ["–", "Sent", "Completed"] as const;

export function Bots({ desk }: { readonly desk: Desk }) {
  const account = useStore(desk.account);
  return account === undefined ? null : (
    <>
      <BotTable desk={desk} account={account} kind="level-bots" title="Level bots" />
      <BotTable desk={desk} account={account} kind="webhook-bots" title="Webhook bots" />
      <History desk={desk} account={account} />
    </>
  );
}

interface BotTableProps {
  readonly desk: Desk;
  readonly account: Account;
  readonly kind: BotKind;
  readonly title: string;
}

function BotTable({ desk, account, kind, title }: BotTableProps) {
  const changes = useStore(desk.botChanges);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const bots = useReading(desk, () => desk.session.get<readonly Bot[]>(`/api/v1/${kind}?${queryOf(account)}`), [
    account,
    changes,
  ]);
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setFault(await desk.attempt(work));
    bots.readAgain();
  };
  const query = new URLSearchParams({ brokerageCode: account.brokerageCode });
  const bot = bots.data?.find(({ id }) => id === chosen);
  return (
    <>
      <Table
        title={title}
        items={bots.data}
        keyOf={({ id }) => id}
        empty="None."
        fault={fault ?? bots.fault}
        columns={[
          { title: "Name", view: ({ name }) => <strong>{name}</strong> },
          { title: "Trades", view: (one) => symbolsOf(one).join(", ") },
          { title: "State", view: ({ isActive, isRunning }) => (isRunning ? "Running" : isActive ? "Active" : "Off") },
          {
            title: "Open",
            view: ({ id }) => (
              <button
                type="button"
                class="quiet"
                aria-expanded={chosen === id}
                onClick={() => setChosen(chosen === id ? undefined : id)}
              >
                {kind === "webhook-bots" ? "Pairs and signals" : "Pairs"}
              </button>
            ),
          },
          {
            title: "End",
            view: ({ id }) => (
              <button
                type="button"
                class="danger"
                onClick={() => void act(() => desk.session.send("DELETE", `/api/v1/${kind}/${id}?${query}`))}
              >
                End bot
              </button>
            ),
          },
        ]}
      />
      {bot !== undefined && <Pairs desk={desk} bot={bot} kind={kind} query={query.toString()} />}
      {bot?.webhookUrl !== undefined && (
        <Signals
          bot={bot}
          onRotate={() =>
            void act(() => desk.session.send("POST", `/api/v1/webhook-bots/${bot.id}/rotate-secret?${query}`))
          }
        />
      )}
    </>
  );
}

function symbolsOf({ levelBotDetails, webhookBotDetails }: Bot): readonly string[] {
  return [...(levelBotDetails ?? []), ...(webhookBotDetails ?? [])].map(({ symbol }) => symbol);
}

function Pairs({
  desk,
  bot,
  kind,
  query,
}: {
  readonly desk: Desk;
  readonly bot: Bot;
  readonly kind: BotKind;
  readonly query: string;
}) {
  const changes = useStore(desk.botChanges);
  const pairs = useReading(
    desk,
    () => desk.session.get<readonly Pair[]>(`/api/v1/${kind}/${bot.id}/pair-orders?${query}`),
    [bot.id, changes],
  );
  return (
    <Table
      title={`Open pairs of ${bot.name}`}
      items={pairs.data}
      keyOf={({ id }) => id}
      empty="No pair is open."
      fault={pairs.fault}
      columns={[
        { title: "Symbol", view: ({ symbol }) => <strong>{symbol}</strong> },
        { title: "Lots", isNumber: true, view: ({ buyQuantity }) => quantityText(buyQuantity) },
        {
          title: "Bought",
          view: ({ buyStatus, buyOrderDate }) => `${LEG_STATES[buyStatus] ?? ""} ${timeText(buyOrderDate)}`,
        },
        { title: "Sold", view: ({ sellStatus }) => LEG_STATES[sellStatus] ?? "" },
        { title: "Note", view: ({ description }) => description ?? "" },
      ]}
    />
  );
}

/** The address that signals go to, and a message that TradingView can send. */
function Signals({ bot, onRotate }: { readonly bot: Bot; readonly onRotate: () => void }) {
  const [detail] = bot.webhookBotDetails ?? [];
  const template = JSON.stringify(
    {
      algoName: detail?.algoName,
      period: detail?.period,
      symbol: detail?.symbol,
      side: "{{strategy.order.action}}",
      price: "{{close}}",
    },
    null,
    2,
  ).replace('"{{close}}"', "{{close}}");
  return (
    <section class="card" aria-label={`Signals of ${bot.name}`}>
      <h2>Signals for {bot.name}</h2>
      <Copyable label="Address" text={bot.webhookUrl ?? ""} />
      <Copyable label="TradingView alert message" text={template} />
      <p class="hint">Whoever knows the address can trade with this bot. A new one ends the old one at once.</p>
      <button type="button" class="danger" onClick={onRotate}>
        Make a new address
      </button>
    </section>
  );
}

function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setIsCopied(true));
  return (
    <div class="copyable">
      <div class="heading">
        <h3>{label}</h3>
        <button type="button" class="quiet" onClick={copy} aria-label={`Copy: ${label}`}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      </div>
      <pre>{text}</pre>
    </div>
  );
}

function History({ desk, account }: { readonly desk: Desk; readonly account: Account }) {
  const changes = useStore(desk.botChanges);
  const history = useReading(
    desk,
    async () =>
      (
        await desk.session.get<{ readonly items: readonly HistoryItem[] }>(
          `/api/v1/level-bots/pair-orders/history?${queryOf(account)}&pageSize=50`,
        )
      ).items,
    [account, changes],
  );
  return (
    <Table
      title="Finished pairs of level bots"
      items={history.data}
      keyOf={({ id }) => id}
      empty="No pair was finished yet."
      fault={history.fault}
      columns={[
        { title: "Symbol", view: ({ symbol }) => <strong>{symbol}</strong> },
        { title: "Lots", isNumber: true, view: ({ buyQuantity }) => quantityText(buyQuantity) },
        { title: "Bought", view: ({ buyOrderDate }) => timeText(buyOrderDate) },
        { title: "Sold", view: ({ sellOrderDate }) => timeText(sellOrderDate) },
        { title: "Hours", isNumber: true, view: ({ hourCount }) => quantityText(hourCount) },
        { title: "Note", view: ({ description }) => description },
      ]}
    />
  );
}
