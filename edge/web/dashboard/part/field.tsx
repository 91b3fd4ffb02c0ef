/** A labelled field with its fault next to it, also for screen readers. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface FieldAttributes {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby"?: string;
}

interface FieldProps {
  readonly label: ComponentChildren;
  readonly fault: string | undefined;
  /** What the typed value comes to. */
  readonly note?: string | undefined;
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

export function Field({ label, fault, note, children }: FieldProps) {
  const id = useId();
  const [faultId, noteId] = [`${id}-fault`, `${id}-note`];
  const describedBy = [fault === undefined ? [] : faultId, note === undefined ? [] : noteId].flat().join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        "aria-invalid": fault !== undefined,
        ...(describedBy === "" ? {} : { "aria-describedby": describedBy }),
      })}
      {fault !== undefined && (
        <span id={faultId} class="fault">
          {fault}
        </span>
      )}
      {note !== undefined && (
        <span id={noteId} class="note hint">
          {note}
        </span>
      )}
    </div>
  );
}
