// biome-ignore-all lint/a11y/noRedundantRoles: some browsers take a table that is laid out as blocks for no table
/**
 * A table with a heading, its fault, and words for when it is empty. On a narrow screen each row is a block of labelled
 * lines.
 */
import { type ComponentChildren, Fragment, type RefObject } from "preact";
import { say } from "../language/say.ts";
import { Fault } from "./fault.tsx";
import { useNarrow } from "./narrow.ts";
import { Scrollable } from "./scrollable.tsx";

export interface Column<T> {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Left out on a narrow screen. */
  readonly isMinor?: boolean;
  /** Holds buttons, which name themselves: only screen readers give the title. */
  readonly isAction?: boolean;
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
  /** A row on a narrow screen, in place of its labelled lines: in two columns. */
  readonly brief?: (item: T) => ComponentChildren;
  /** A second line of each row, over all columns. */
  readonly below?: (item: T) => ComponentChildren;
  readonly box?: RefObject<HTMLElement | null>;
}

export function Table<T>(props: TableProps<T>) {
  const { title, columns, items, keyOf, empty, fault, tools, above, isLong, brief, below, box } = props;
  const rowOf = useNarrow() ? brief : undefined;
  return (
    <section class="card" ref={box ?? null}>
      <div class="heading">
        <h2>{title}</h2>
        <span class="grow" />
        {tools}
      </div>
      <Fault text={fault} />
      {above}
      {items === undefined && fault === undefined && <p class="empty">{say("Reading…")}</p>}
      {items?.length === 0 && <p class="empty">{empty}</p>}
      {items !== undefined && items.length > 0 && (
        <Scrollable label={title} isLong={isLong === true}>
          <table class={rowOf === undefined ? "blocks" : "blocks briefs"} role="table">
            <thead role="rowgroup">
              <tr role="row">
                {rowOf === undefined ? (
                  columns.map((column) => (
                    <th key={column.title} scope="col" role="columnheader" class={classOf(column)}>
                      {column.isAction === true ? <span class="hidden">{column.title}</span> : column.title}
                    </th>
                  ))
                ) : (
                  <th scope="col" role="columnheader">
                    {title}
                  </th>
                )}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {items.map((item) => (
                <Fragment key={keyOf(item)}>
                  <tr role="row">
                    {rowOf === undefined ? (
                      columns.map((column) => (
                        <td
                          key={column.title}
                          role="cell"
                          class={classOf(column)}
                          data-label={column.isAction === true ? undefined : column.title}
                        >
                          {column.view(item)}
                        </td>
                      ))
                    ) : (
                      <td role="cell" class="brief">
                        {rowOf(item)}
                      </td>
                    )}
                  </tr>
                  {below !== undefined && (
                    <tr role="row" class="below">
                      <td role="cell" colSpan={columns.length}>
                        {below(item)}
                      </td>
                    </tr>
                  )}
                </Fragment>
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
