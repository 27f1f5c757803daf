import type { Confirmation, PlaceOutcome, SignedIn } from '@meetmark/contracts';
import { cardText as text } from '@meetmark/i18n/texts/event-page';
import { Button } from 'antd';
import { CodeEntry } from '../auth/code-entry';
import styles from './registration-card.module.css';

interface RsvpCodeProps {
  flow: string;
  email: string;
  resend: () => Promise<unknown>;
  arrive: (outcome: PlaceOutcome | undefined) => void;
  close: () => void;
}

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
