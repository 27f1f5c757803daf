import type { OwnSession } from '@meetmark/contracts';
import { securityText as text } from '@meetmark/i18n/texts/security';
import { useQuery } from '@tanstack/react-query';
import { ActionButton } from '../../ui/action-button';
import { Badge } from '../../ui/marks';
import { Card } from '../../ui/card';
import { Loaded } from '../../ui/feedback';
import { useFormats } from '../../ui/use-formats';
import cards from './profile.module.css';
import { useAction } from '../auth/use-action';
import { ownSessionsQuery, useEndSessions } from '../security/security.api';
import styles from '../security/security.module.css';

export function SessionsCard() {
  const query = useQuery(ownSessionsQuery);
  return (
    <Card titleId="sessions-title" title={text.sessionsTitle} intro={text.sessionsIntro}>
      <Loaded query={query}>{(sessions) => <SessionList sessions={sessions} />}</Loaded>
    </Card>
  );
}

function deviceName(device: string | null): string {
  const [browser, system] = device?.split(' on ') ?? [];
  if (browser === undefined) return text.unknownDevice;
  return system === undefined ? browser : text.device({ browser, system });
}

function SessionList({ sessions }: { sessions: OwnSession[] }) {
  const formats = useFormats();
  const ending = useEndSessions();
  const endOnce = useAction(ending);
  const end = (id?: string) =>
    endOnce(id, {
      title: id === undefined ? text.othersEnded : text.ended,
      failed: text.failed,
      onSuccess: () => document.getElementById('sessions-title')?.focus(),
    });
  return (
    <>
      <ul className={styles.rows}>
        {sessions.map(({ id, device, network, current, lastUsedAt }) => (
          <li key={id} className={styles.row}>
            <div>
              <strong>{deviceName(device)}</strong>
              <span className={cards.soft}>
                {[
                  text.sessionUsed({ when: formats.shortDate(lastUsedAt) }),
                  network && text.sessionFrom({ network }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </div>
            {current ? (
              <Badge tone="good">{text.thisBrowser}</Badge>
            ) : (
              <ActionButton
                type="text"
                inactive={ending.isPending}
                aria-label={text.endNamed({ device: deviceName(device) })}
                onClick={() => end(id)}
              >
                {text.end}
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 2 && (
        <div className={cards.buttons}>
          <ActionButton inactive={ending.isPending} onClick={() => end()}>
            {text.endOthers}
          </ActionButton>
        </div>
      )}
    </>
  );
}
