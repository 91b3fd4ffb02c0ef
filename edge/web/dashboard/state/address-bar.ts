/**
 * The place of the user in the pages, in the address: `#/groups/57`. Back, Forward and a reload lead there again.
 *
 * Owns: reading and writing the address, and asking before a form with something typed is left. Does not own: what a page
 * makes of its part.
 *
 * Invariants:
 * 1. Nothing that is secret or typed is ever in an address: names of pages and ids only.
 * 2. While a form is filled no way within the page leaves it unasked; the browser asks where the page itself is left.
 */
import { Store } from "./store.ts";

export interface Address {
  readonly page: string;
  /** What of the page; "" for the page as such. */
  readonly part: string;
}

export class AddressBar {
  readonly address = new Store<Address>(readAddress());
  /** Set: the user is about to leave a filled form, and is asked; the function leaves it. */
  readonly asked = new Store<(() => void) | undefined>(undefined);
  readonly #filled = new Set<object>();

  start(): () => void {
    const moved = (): void => {
      const target = location.hash;
      if (target === hashOf(this.address.value)) return;
      if (this.#filled.size === 0) {
        this.#show();
        return;
      }
      // Back or Forward: the address remains the form's until the user has answered.
      history.pushState(null, "", hashOf(this.address.value));
      this.leave(() => {
        history.replaceState(null, "", target);
        this.#show();
      });
    };
    const unload = (event: BeforeUnloadEvent): void => {
      if (this.#filled.size > 0) event.preventDefault();
    };
    window.addEventListener("popstate", moved);
    window.addEventListener("beforeunload", unload);
    return () => {
      window.removeEventListener("popstate", moved);
      window.removeEventListener("beforeunload", unload);
    };
  }

  /** Opens a page, once a filled form may be left. */
  go(page: string, part = ""): void {
    const next = { page, part };
    if (hashOf(next) === hashOf(this.address.value)) return;
    this.leave(() => {
      history.pushState(null, "", hashOf(next));
      this.#show();
    });
  }

  /** Names what is shown already: nothing is left, and Back does not come here twice. */
  name(page: string, part: string): void {
    history.replaceState(null, "", hashOf({ page, part }));
    this.#show();
  }

  /** Runs what leaves the forms of the page: immediately if no form is filled, else once it is confirmed. */
  leave(go: () => void): void {
    if (this.#filled.size === 0) {
      go();
      return;
    }
    this.asked.set(() => {
      this.#filled.clear();
      this.asked.set(undefined);
      go();
    });
  }

  stay(): void {
    this.asked.set(undefined);
  }

  /** Notes whether a form contains typed text. */
  setFilled(form: object, isFilled: boolean): void {
    if (isFilled) this.#filled.add(form);
    else this.#filled.delete(form);
  }

  #show(): void {
    this.address.set(readAddress());
  }
}

function hashOf({ page, part }: Address): string {
  return part === "" ? `#/${page}` : `#/${page}/${encodeURIComponent(part)}`;
}

function readAddress(): Address {
  const [, page = "", part = ""] = /^#\/([a-z]+)(?:\/([\w%.-]+))?$/.exec(location.hash) ?? [];
  return { page, part: decodePart(part) };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
