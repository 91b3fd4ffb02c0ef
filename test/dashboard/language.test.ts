// tier: real
/** The dashboard in the language of the browser, and in the language that its user chooses. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import { until } from "../support/world/stack.ts";

browserSuite("the language of the dashboard", () => {
  let world: DashboardWorld;

  before(async () => {
    world = await DashboardWorld.start();
    await world.stack.tick("TCELL", 262.5);
    const order = { symbol: "TCELL", quantity: 5, buySell: 1, orderType: 1, price: 0 };
    await world.post("/api/v1/orders", order);
  });
  after(async () => {
    await world?.stop();
  });

  const languageOf = (page: Page) => page.evaluate<string>("document.documentElement.lang");
  const openTurkish = () => world.open(undefined, undefined, undefined, "tr-TR");

  async function signInTurkish(page: Page): Promise<void> {
    await page.getByLabel("API anahtarı").fill(world.user.apiKey);
    await page.getByRole("button", { name: "Giriş yap" }).click();
    await page.getByText("Olay akışı canlı").waitFor();
  }

  test("a Turkish browser shows sign-in, portfolio and events in Turkish, and English once that is chosen", async () => {
    const { page } = await openTurkish();
    assert.equal(await languageOf(page), "tr");
    assert.deepEqual(await findBarriers(page), []);
    await signInTurkish(page);
    await page.getByRole("button", { name: "Portföy" }).click();
    const position = page.getByRole("region", { name: "Pozisyonlar" }).getByRole("row").filter({ hasText: "TCELL" });
    await position.getByText("1.312,50", { exact: true }).waitFor();
    await position.getByRole("button", { name: "TCELL pozisyonunu koru" }).waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.getByRole("button", { name: "Hareketler" }).click();
    await page.getByText(/^Alış emri .* iletildi: 5 lot$/).waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.getByRole("button", { name: "Portföy" }).click();
    await page.getByLabel("Dil").selectOption("en");
    await page.getByText("Events live").waitFor();
    assert.equal(await languageOf(page), "en");
    const english = page.getByRole("region", { name: "Positions" }).getByRole("row").filter({ hasText: "TCELL" });
    await english.getByText("1,312.50", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await page.context().close();
  });

  test("the sign-in offers the other language, and the browser keeps the choice", async () => {
    const { page } = await openTurkish();
    await page.getByLabel("Dil").selectOption("en");
    await page.getByLabel("API key").waitFor();
    await page.reload();
    await page.getByLabel("API key").waitFor();
    await page.getByLabel("Language").selectOption("tr");
    await page.getByLabel("API anahtarı").waitFor();
    await page.context().close();
  });

  test("date and time are typed as Turkish writes them, and a part of them is refused at the field", async () => {
    const { page } = await openTurkish();
    await signInTurkish(page);
    await page.getByRole("button", { name: "Yeni grup" }).click();
    const due = page.getByLabel("İzleme sonu (isteğe bağlı)");
    assert.equal(await due.getAttribute("placeholder"), "gg.aa.yyyy ss:dd");
    await due.fill("02.03.2035 17:50");
    await page.getByText("2 Mart 2035 Cuma 17:50").waitFor();
    await page.getByLabel("Sembol", { exact: true }).fill("THYAO");
    await page.getByLabel("Zarar durdur fiyatı").fill("290");
    await page.getByLabel("Korunacak lot").fill("10");
    await page.getByLabel("Fiyat 1").fill("340");
    await page.getByLabel("Lot 1").fill("10");
    await due.fill("02.03.2035");
    await page.getByRole("button", { name: "Grup oluştur" }).click();
    await page.getByText("Tarih ve saati tam girin (gg.aa.yyyy ss:dd) veya boş bırakın.").waitFor();
    assert.equal(await due.getAttribute("aria-invalid"), "true");
    await page.context().close();
  });

  test("a group is made, moved and cancelled in Turkish, its prices with a comma", async () => {
    await world.stack.tick("THYAO", 310);
    const { page } = await openTurkish();
    await signInTurkish(page);
    await page.getByRole("button", { name: "Yeni grup" }).click();
    await page.getByLabel("Sembol", { exact: true }).fill("THYAO");
    await page.getByLabel("Korunacak lot").fill("10");
    await page.getByLabel("Lot 1").fill("10");
    const level = await until(
      () => page.getByLabel("Zarar durdur fiyatı").inputValue(),
      (text) => text !== "",
    );
    assert.equal(level, "300,75");
    assert.deepEqual(await findMisfits(page), []);
    await page.getByRole("button", { name: "Grup oluştur" }).click();
    await page
      .getByRole("img", { name: "THYAO fiyatı ve seviyeler: Zarar durdur 10: 300,75, Kâr al 10: 325,5" })
      .waitFor();
    await page.getByRole("button", { name: "300,75 fiyatındaki zarar durdur seviyesini taşı" }).click();
    await page.getByLabel("Yeni zarar durdur seviyesi").fill("299,5");
    await page.getByRole("button", { name: "Değişikliği kontrol et" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("THYAO: zarar durdur seviyesi 299,50 fiyatına taşınsın mı?").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await dialog.getByRole("button", { name: "Seviyeyi değiştir" }).click();
    await page.getByRole("cell", { name: "299,50", exact: true }).waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.getByRole("button", { name: "Grubu iptal et" }).click();
    await page.getByRole("button", { name: "Evet, izlemeyi bırak" }).click();
    await page.getByText("Grup iptal edildi.").waitFor();
    await page.context().close();
  });

  test("a refusal of the service is a Turkish sentence at its field", async () => {
    const { page } = await openTurkish();
    await signInTurkish(page);
    await page.route("**/api/v1/oco-orders", (route) =>
      route.request().method() !== "POST"
        ? route.continue()
        : route.fulfill({
            status: 400,
            json: { success: false, message: "stopLossQuantity must be at most 5", error: { code: "OUT_OF_RANGE" } },
          }),
    );
    await page.getByRole("button", { name: "Yeni grup" }).click();
    await page.getByLabel("Sembol", { exact: true }).fill("THYAO");
    await page.getByLabel("Korunacak lot").fill("10");
    await page.getByLabel("Lot 1").fill("10");
    await until(
      () => page.getByLabel("Zarar durdur fiyatı").inputValue(),
      (text) => text !== "",
    );
    await page.getByRole("button", { name: "Grup oluştur" }).click();
    await page.locator(".field").filter({ hasText: "Korunacak lot en çok 5 olmalı." }).waitFor();
    await page.context().close();
  });

  test("each page of a Turkish browser fits phones and passes axe", async () => {
    const { page } = await openTurkish();
    await signInTurkish(page);
    for (const name of ["OCO grupları", "İşlem", "Portföy", "Bekleyenler", "Botlar", "Hareketler", "Uyarılar"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.locator("nav [aria-current=page]", { hasText: name }).waitFor();
      assert.deepEqual(await findMisfits(page), [], name);
    }
    await page.context().close();
  });
});
