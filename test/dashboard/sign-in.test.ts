/** The sign-in: what it shows of the service, and how it refuses a key. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browserSuite, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";

browserSuite("the sign-in of the dashboard", () => {
  let world: DashboardWorld;

  before(async () => {
    world = await DashboardWorld.start();
  });
  after(async () => {
    await world?.stop();
  });

  test("shows whether the service is ready, its version and where a key comes from, and has the focus", async () => {
    const { page } = await world.open();
    await page.getByText("Service ready").waitFor();
    await page.getByText("Version 1.0.0").waitFor();
    await page.getByText("data/bootstrap-api-key").waitFor();
    await page.locator("#api-key:focus").waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.context().close();
  });

  test("a service that starts, or does not answer, is named", async () => {
    const { page } = await world.open();
    await page.route("**/ready", (route) => route.fulfill({ status: 503, json: { success: false } }));
    await page.reload();
    await page.getByText("Service is starting").waitFor();
    await page.unroute("**/ready");
    await page.route("**/ready", (route) => route.abort());
    await page.getByText("Service does not answer").waitFor();
    await page.unroute("**/ready");
    await page.getByText("Service ready").waitFor();
    await page.context().close();
  });

  test("what is no key is not sent, and an unknown key is refused at the field", async () => {
    const { page } = await world.open();
    let count = 0;
    page.on("request", (request) => {
      count += request.url().endsWith("/oauth/token") ? 1 : 0;
    });
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("Enter an API key.").waitFor();
    await world.signIn(page, "hunter2");
    await page.getByRole("alert").getByText("a key begins with tdk_live_").waitFor();
    assert.equal(count, 0);
    await world.signIn(page, `tdk_live_${"a".repeat(43)}`);
    await page.getByRole("alert").getByText("is not known, or was revoked").waitFor();
    assert.equal(count, 1);
    await page.locator("#api-key:focus[aria-invalid=true]").waitFor();
    await page.context().close();
  });

  test("a key is hidden until it is shown", async () => {
    const { page } = await world.open();
    const typeOf = (): Promise<string | null> => page.getByLabel("API key").getAttribute("type");
    assert.equal(await typeOf(), "password");
    await page.getByRole("button", { name: "Show what is typed" }).click();
    assert.equal(await typeOf(), "text");
    await page.getByRole("button", { name: "Hide what is typed" }).click();
    assert.equal(await typeOf(), "password");
    await page.context().close();
  });
});
