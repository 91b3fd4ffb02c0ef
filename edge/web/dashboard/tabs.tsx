/** The strip of pages. If it is wider than the screen, an arrow at its edge states that there are more. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { say } from "./language/say.ts";
import { quantityText } from "./part/words.ts";

/** Rounding leaves so much of a tab outside: too little to show an arrow. */
const REST_PX = 4;

/** A number at a tab. */
interface TabCount {
  readonly count: number;
  /** The number with its noun, for screen readers. */
  readonly text: string;
}

interface TabsProps<N extends string> {
  readonly pages: readonly { readonly name: N; readonly title: string }[];
  /** By page; nothing is shown for zero. */
  readonly counts: Readonly<Partial<Record<N, TabCount>>>;
  readonly current: N | undefined;
  readonly onGo: (name: N) => void;
}

export function Tabs<N extends string>({ pages, counts, current, onGo }: TabsProps<N>) {
  const strip = useRef<HTMLElement>(null);
  const [more, setMore] = useState({ isBefore: false, isAfter: false });
  const measure = (): void => {
    if (strip.current === null) return;
    const { scrollLeft, scrollWidth, clientWidth } = strip.current;
    setMore({ isBefore: scrollLeft > REST_PX, isAfter: scrollLeft + clientWidth < scrollWidth - REST_PX });
  };
  useLayoutEffect(() => {
    if (strip.current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(strip.current);
    return () => observer.disconnect();
  }, []);
  // The page can be another one by a link, and its tab beyond the edge.
  useLayoutEffect(() => {
    strip.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    measure();
  }, [current, pages.length, JSON.stringify(counts)]);
  return (
    <div class="tabs">
      <nav ref={strip} aria-label={say("Pages")} onScroll={measure}>
        {pages.map(({ name, title }) => {
          const { count = 0, text } = counts[name] ?? {};
          return (
            <button
              key={name}
              type="button"
              aria-current={name === current ? "page" : undefined}
              aria-description={count > 0 ? text : undefined}
              onClick={() => onGo(name)}
            >
              {title}
              {count > 0 && (
                <span class="count" aria-hidden="true">
                  {quantityText(count)}
                </span>
              )}
            </button>
          );
        })}
      </nav>
      {more.isBefore && (
        <span class="more before" aria-hidden="true">
          ‹
        </span>
      )}
      {more.isAfter && (
        <span class="more after" aria-hidden="true">
          ›
        </span>
      )}
    </div>
  );
}
