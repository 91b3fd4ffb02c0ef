/**
 * The application with scripted brokerages, one for each promise about repeated orders.
 */
import assert from "node:assert/strict";
import { type Answer, type AppUser, FaultApp, type OcoRow, PAPER, until } from "./app.ts";
import { ScriptedGateway } from "./gateway.ts";
import { GROUPS, groupOf } from "./group.ts";

const CODES = ["NAMED", "ASKED", "TIMED", "BLIND"];
const OPERATIONS = ["place", "findOrder", "accounts", "cancel", "login", "positions", "dailyOrders"];

const gatewayOf = (code: string, resend: string) => ({
  ...{ code, name: code, adapter: "gateway", resend, ordersPerMinute: 1_000_000 },
  ...{ timeoutMs: 500, settleMs: 60, expiryMs: 100 },
});

export class GatewayWorld {
  readonly app: FaultApp;
  readonly user: AppUser;
  readonly #gateways: ReadonlyMap<string, ScriptedGateway>;

  private constructor(app: FaultApp, user: AppUser) {
    this.app = app;
    this.user = user;
    this.#gateways = new Map(CODES.map((code) => [code, new ScriptedGateway(app.bus, code)]));
  }

  /**
   * Orders at `NAMED` may be repeated, `ASKED` knows its orders, orders at `TIMED` expire, `BLIND` promises nothing,
   * and `NOBODY` never answers.
   */
  static async start(): Promise<GatewayWorld> {
    const app = await FaultApp.start({
      brokerages: [
        PAPER,
        gatewayOf("NAMED", "idempotent"),
        gatewayOf("ASKED", "query"),
        gatewayOf("TIMED", "expiry"),
        gatewayOf("BLIND", "none"),
        gatewayOf("NOBODY", "query"),
      ],
    });
    return new GatewayWorld(app, await app.newUser());
  }

  gateway(code: string): ScriptedGateway {
    const found = this.#gateways.get(code);
    assert.ok(found !== undefined);
    return found;
  }

  accountAt(code: string): string {
    return `${code}-${this.user.userId}`;
  }

  rowsAt(code: string): Promise<OcoRow[]> {
    return this.app.rows({ ...this.user, accountNumber: this.accountAt(code) }, code);
  }

  /** Creates a group of one take-profit at a brokerage, with THYAO at 100. */
  async arm(code: string, change: object = {}): Promise<OcoRow> {
    await this.app.tick("THYAO", 100);
    const takeProfitItems = [{ price: 110, quantity: 4 }];
    const place = { brokerageCode: code, accountNumber: this.accountAt(code) };
    const json = groupOf(this.user, { ...place, takeProfitItems, ...change });
    const answer = await this.app.send("POST", GROUPS, { token: this.user.token, json });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data as OcoRow;
  }

  cancelAt(code: string, id: number): Promise<Answer> {
    return this.app.send("DELETE", `${GROUPS}/${id}?brokerageCode=${code}`, { token: this.user.token });
  }

  async group(code: string, groupId: number): Promise<OcoRow[]> {
    return (await this.rowsAt(code)).filter((row) => row.groupId === groupId);
  }

  async statuses(code: string, groupId: number): Promise<number[]> {
    return (await this.group(code, groupId)).map(({ status }) => status);
  }

  untilStatuses(code: string, groupId: number, expected: readonly number[]): Promise<void> {
    return until(async () => String(await this.statuses(code, groupId)) === String(expected));
  }

  /** Restores truthful brokerages and no Active row, as before the first test. */
  async clear(): Promise<void> {
    for (const [code, one] of this.#gateways) {
      for (const operation of OPERATIONS) one.on(operation, undefined);
      for (const { id, status } of await this.rowsAt(code)) if (status === 1) await this.cancelAt(code, id);
      one.sends.length = 0;
    }
  }
}
