/** A labelled field with its fault next to it, also for screen readers. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface FieldAttributes {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby"?: string;
}

interface FieldProps {
  readonly label: string;
  readonly fault: string | undefined;
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

export function Field({ label, fault, children }: FieldProps) {
  const id = useId();
  const faultId = `${id}-fault`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        "aria-invalid": fault !== undefined,
        ...(fault === undefined ? {} : { "aria-describedby": faultId }),
      })}
      {fault !== undefined && (
        <span id={faultId} class="fault">
          {fault}
        </span>
      )}
    </div>
  );
}
