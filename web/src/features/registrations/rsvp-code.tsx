import type { Confirmation, PlaceOutcome, SignedIn } from '@meetmark/contracts';
import { cardText as text } from '@meetmark/contracts/texts/event-page';
import { Button } from 'antd';
import { CodeEntry } from '../auth/code-entry';
import styles from './registration-card.module.css';

interface RsvpCodeProps {
  /** The flow that the code belongs to. */
  flow: string;
  /** The address that the code went to. */
  email: string;
  resend: () => Promise<unknown>;
  /** Called with what the code led to, whether the visitor has an account or not. */
  arrive: (outcome: PlaceOutcome | undefined) => void;
  /** Returns to the form, which still has what was typed. */
  close: () => void;
}

/** Asks a visitor for the code that was mailed. A file of its own, which the page of an event does not wait for. */
export default function RsvpCode({ flow, email, resend, arrive, close }: RsvpCodeProps) {
  const confirmed = ({ eventId, registration = null, waiting, refusal }: Confirmation) =>
    arrive(eventId ? { eventId, registration, waiting, refusal } : undefined);
  return (
    <div className={styles.form}>
      <CodeEntry
        key={flow}
        purpose="rsvp"
        flow={flow}
        submit={text.confirm}
        resend={resend}
        confirmed={confirmed}
        accepted={({ rsvp }: SignedIn) => arrive(rsvp)}
        elsewhere={text.elsewhere}
        autoFocus
        otherWay={
          <Button type="link" className={styles.link} onClick={close}>
            {text.change}
          </Button>
        }
      >
        {text.codeSent({ email })}
      </CodeEntry>
    </div>
  );
}
