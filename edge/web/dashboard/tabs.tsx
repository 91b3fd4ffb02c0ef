/** The strip of pages. If it is wider than the screen, an arrow at its edge states that there are more. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { say } from "./language/say.ts";

/** Rounding leaves so much of a tab outside: too little to show an arrow. */
const REST_PX = 4;

interface TabsProps<N extends string> {
  readonly pages: readonly { readonly name: N; readonly title: string }[];
  readonly current: N | undefined;
  readonly onGo: (name: N) => void;
}

export function Tabs<N extends string>({ pages, current, onGo }: TabsProps<N>) {
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
  }, [current, pages.length]);
  return (
    <div class="tabs">
      <nav ref={strip} aria-label={say("Pages")} onScroll={measure}>
        {pages.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            aria-current={name === current ? "page" : undefined}
            onClick={() => onGo(name)}
          >
            {title}
          </button>
        ))}
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
