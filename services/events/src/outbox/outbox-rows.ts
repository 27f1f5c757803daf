import { DEADLINES, RollUpActivity } from '@meetmark/contracts';
import { OUTBOX_CHANNEL } from '@meetmark/platform/outbox/outbox.writer';
import { currentCall } from '@meetmark/platform/call/call';

/** Seconds between a change among the registrations and the roll-up that shows it. */
const ROLL_UP_AFTER = 5;
/** Seconds: no statement of ours lasts longer, so a roll-up that far away sees what is being written now. */
const LONGEST_STATEMENT = Math.ceil(DEADLINES.statement / 1000);

/**
 * SQL that asks for a roll-up of the activity if `source` (a CTE) has rows, unless one is due that cannot miss them: a
 * thousand registrations in a second are one job. `id` and `requestId` are placeholders such as `$1`.
 */
export const insertRollUp = (source: string, id: string, requestId: string) => `
  INSERT INTO events.outbox (id, job, payload, request_id, available_at)
  SELECT ${id}::uuid, '${RollUpActivity.name}', '{}', ${requestId}::text, now() + interval '${ROLL_UP_AFTER} s'
  WHERE EXISTS (SELECT FROM ${source}) AND NOT EXISTS (
    SELECT FROM events.outbox
    WHERE job = '${RollUpActivity.name}' AND done_at IS NULL AND relayed_at IS NULL
      AND available_at > now() + interval '${LONGEST_STATEMENT} s')`;

/** The request that asks for the work, for the outbox. */
export const requestId = () => currentCall()?.requestId ?? null;

/** SQL, for a select list, that wakes the relay when the transaction commits. */
export const WAKE_RELAY = `pg_notify('${OUTBOX_CHANNEL}', 'events')`;
