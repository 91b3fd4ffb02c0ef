/** A long list of which only what is in view is drawn. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly itemPixels: number;
  readonly keyOf: (item: T) => string | number;
  readonly label: string;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly view: (item: T) => ComponentChildren;
}

/** Drawn beyond both ends, so that a quick scroll shows no hole. */
const SPARE_ITEMS = 6;

export function VirtualList<T>({ items, itemPixels, keyOf, label, view, onKeyDown }: VirtualListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [window, setWindow] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = (): void => setWindow({ top: element.scrollTop, height: element.clientHeight });
    look();
    element.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, []);
  const first = Math.max(0, Math.floor(window.top / itemPixels) - SPARE_ITEMS);
  const last = Math.min(items.length, Math.ceil((window.top + window.height) / itemPixels) + SPARE_ITEMS);
  return (
    <div class="virtual" ref={box}>
      <ul aria-label={label} onKeyDown={onKeyDown} style={{ height: `${items.length * itemPixels}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ transform: `translateY(${(first + index) * itemPixels}px)`, height: `${itemPixels}px` }}
          >
            {view(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
