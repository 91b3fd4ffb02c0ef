/** The trading state in the head of every view, with the way to halt and to resume. */
import { useId, useRef, useState } from "preact/hooks";
import { say } from "./language/say.ts";
import { isUserHalted, stateText, TradingControls } from "./page/trading.tsx";
import { useModal } from "./part/use-modal.ts";
import { useTradingStates } from "./part/use-trading-states.ts";
import type { DashboardState } from "./state/dashboard-state.ts";

export function TradingHead({ dashboard }: { readonly dashboard: DashboardState }) {
  const reading = useTradingStates(dashboard);
  const states = reading.data ?? [];
  const [isOpen, setIsOpen] = useState(false);
  const isHalted = isUserHalted(states);
  return (
    <>
      {states.length > 0 && (
        <p class="trading-state" role="status">
          {states.map((one) => (
            <span key={`${one.scope} ${one.accountNumber}`}>{stateText(one)}</span>
          ))}
        </p>
      )}
      {dashboard.session.has("trade") && (
        <button
          type="button"
          class="danger"
          aria-haspopup="dialog"
          aria-label={isHalted ? say("Resume trading") : say("Halt trading")}
          onClick={() => setIsOpen(true)}
        >
          <span class="wide-only">{isHalted ? say("Resume trading") : say("Halt trading")}</span>
          <span class="narrow-only">{isHalted ? say("Resume") : say("Halt")}</span>
        </button>
      )}
      {isOpen && <TradingDialog {...{ dashboard, reading }} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface TradingDialogProps {
  readonly dashboard: DashboardState;
  readonly reading: ReturnType<typeof useTradingStates>;
  readonly onClose: () => void;
}

/** The field of the word has the focus first: Enter alone changes nothing. */
function TradingDialog({ dashboard, reading, onClose }: TradingDialogProps) {
  const id = useId();
  const box = useRef<HTMLDialogElement>(null);
  useModal(box);
  return (
    <dialog
      ref={box}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{say("Trading")}</h2>
      <TradingControls {...{ dashboard, reading }} />
      <div class="tools">
        <button type="button" onClick={onClose}>
          {say("Close")}
        </button>
      </div>
    </dialog>
  );
}
