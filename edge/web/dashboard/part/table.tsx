/** A table with a heading, its fault, and words for when it is empty. */
import type { ComponentChildren } from "preact";
import { say } from "../language/say.ts";
import { Scrollable } from "./scrollable.tsx";

export interface Column<T> {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Left out on a narrow screen. */
  readonly isMinor?: boolean;
  readonly view: (item: T) => ComponentChildren;
}

interface TableProps<T> {
  readonly title: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[] | undefined;
  readonly keyOf: (item: T) => string | number;
  readonly empty: string;
  readonly fault?: string | undefined;
  readonly tools?: ComponentChildren;
  /** Between the heading and the table. */
  readonly above?: ComponentChildren;
  /** Scrolls by itself, so that content below it remains near. */
  readonly isLong?: boolean;
}

export function Table<T>({ title, columns, items, keyOf, empty, fault, tools, above, isLong }: TableProps<T>) {
  return (
    <section class="card">
      <div class="heading">
        <h2>{title}</h2>
        <span class="grow" />
        {tools}
      </div>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {above}
      {items === undefined && fault === undefined && <p class="empty">{say("Reading…")}</p>}
      {items?.length === 0 && <p class="empty">{empty}</p>}
      {items !== undefined && items.length > 0 && (
        <Scrollable label={title} isLong={isLong === true}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.title} scope="col" class={classOf(column)}>
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={keyOf(item)}>
                  {columns.map((column) => (
                    <td key={column.title} class={classOf(column)}>
                      {column.view(item)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
    </section>
  );
}

function classOf({ isNumber, isMinor }: Pick<Column<unknown>, "isNumber" | "isMinor">): string {
  return [isNumber === true ? "number" : "", isMinor === true ? "minor" : ""].join(" ").trim();
}
