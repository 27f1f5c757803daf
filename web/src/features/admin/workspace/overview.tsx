import type { DoorLink, EventPage } from '@meetmark/contracts';
import type { RegistrationState } from '@meetmark/contracts/events/registration-state';
import { questionsText } from '@meetmark/i18n/texts/questions';
import { workspaceText as text } from '@meetmark/i18n/texts/workspace';
import { useQuery } from '@tanstack/react-query';
import { Progress } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ErrorState } from '../../../ui/feedback';
import { ChevronRightIcon } from '../../../ui/icons';
import { useFormats } from '../../../ui/use-formats';
import { eventAnswersQuery } from '../../events/shared/event-answers.api';
import { hasBegun, useRegistrationState } from '../../events/shared/use-registration-state';
import { HelpButton } from '../../help/help-button';
import { formatAnswer } from '../../registrations/questions';
import { Panel } from '../dashboard/panel';
import { Address } from './address';
import { Pictures } from './pictures';
import { DOOR_EVERY, doorQuery, eventActivityQuery } from './workspace.api';
import styles from './workspace.module.css';

export function Overview({ event }: { event: EventPage }) {
  const { count } = useFormats();
  const { capacity, registrationCount, waitingCount, waitlistEnabled } = event;
  const state = useRegistrationState(event);
  const { data: door } = useQuery({
    ...doorQuery(event.id),
    enabled: event.status === 'published',
    refetchInterval: state === 'started' ? DOOR_EVERY : false,
  });
  const { ended } = text;
  return (
    <>
      <dl className={styles.figures}>
        <Figure
          name={text.registered}
          figure={count(registrationCount)}
          beside={capacity === null ? undefined : text.of({ capacity: count(capacity) })}
          note={
            state in ended
              ? ended[state as keyof typeof ended]
              : capacity === null
                ? text.noLimit
                : registrationCount >= capacity
                  ? text.full
                  : text.left({ places: count(capacity - registrationCount) })
          }
        >
          {capacity !== null && (
            <Progress
              percent={Math.min(100, (registrationCount / capacity) * 100)}
              showInfo={false}
              aria-hidden
              strokeColor="var(--primary)"
              railColor="var(--line)"
            />
          )}
        </Figure>
        <Figure
          name={text.waiting}
          figure={count(waitingCount)}
          note={
            waitingCount > 0
              ? state in ended
                ? text.waitingInVain
                : text.waitingSome
              : waitlistEnabled
                ? text.waitingNone
                : text.waitingOff
          }
        />
        {door && (hasBegun(state) || door.counts.checkedIn > 0) && (
          <Figure
            name={text.came}
            figure={door.counts.checkedIn > 0 || state === 'started' ? count(door.counts.checkedIn) : '–'}
            beside={text.of({ capacity: count(door.counts.registered) })}
            note={
              state !== 'ended'
                ? text.cameSoFar
                : door.counts.checkedIn > 0
                  ? text.cameHint
                  : text.cameUnknown
            }
          />
        )}
      </dl>
      <div className={styles.columns}>
        <div className={styles.settings}>
          <NextSteps event={event} state={state} hasDoor={door?.links.some(isOpen) ?? true} />
          {event.hasQuestions && <AnswerCounts event={event} hasEnded={state === 'ended'} />}
          {(state === 'ended' || state === 'cancelled' || event.gallery?.[0]) && <Pictures event={event} />}
        </div>
        <div className={styles.settings}>
          <Activity eventId={event.id} />
          <Address event={event} state={state} />
        </div>
      </div>
    </>
  );
}

interface FigureProps {
  name: string;
  figure: string;
  beside?: string;
  note: string;
  children?: ReactNode;
}

const Figure = ({ name, figure, beside, note, children }: FigureProps) => (
  <div className={styles.figure}>
    <dt>{name}</dt>
    <dd>
      <strong>{figure}</strong> {beside}
    </dd>
    <dd className={styles.note}>
      {children}
      {note}
    </dd>
  </div>
);

interface Step {
  to: string;
  title: string;
  hint: string;
}

const EDIT = '?edit=1';

const isOpen = ({ revokedAt, expiresAt }: DoorLink) =>
  revokedAt === null && Date.parse(expiresAt) > Date.now();

export function stepsFor(event: EventPage, state: RegistrationState, hasDoor: boolean): Step[] {
  const { content, format, status } = event;
  if (status === 'cancelled') return [];
  const path = `/admin/events/${event.id}`;
  const { step } = text;
  const unsettled = [...content.hosts, ...content.speakers].filter(({ agreed }) => !agreed).length;
  const missing = (wanted: boolean, to: string, title: string, hint: string) =>
    wanted ? [{ to: path + to, title, hint }] : [];
  const isMet = format !== 'online';
  if (state === 'started') return missing(isMet, '/door', step.door, step.doorHint);
  if (state === 'ended')
    return missing(
      content.recap === null && content.resources.length === 0,
      EDIT,
      step.recap,
      step.recapHint,
    );
  return [
    ...missing(status === 'draft', '/settings', step.publish, step.publishHint),
    ...missing(!event.description?.trim(), EDIT, step.describe, step.describeHint),
    ...missing(format !== 'online' && event.location === null, EDIT, step.place, step.placeHint),
    ...missing(format !== 'in_person' && !content.hasOnlineUrl, EDIT, step.online, step.onlineHint),
    ...missing(unsettled > 0, EDIT, step.hosts, step.hostsHint({ count: unsettled })),
    ...missing(
      event.waitingCount > 0,
      '/guests?state=waitlisted',
      step.waiting,
      step.waitingHint({ count: event.waitingCount }),
    ),
    ...missing(isMet && !hasDoor && status === 'published', '/door', step.prepareDoor, step.prepareDoorHint),
  ];
}

interface NextStepsProps {
  event: EventPage;
  state: RegistrationState;
  hasDoor: boolean;
}

function NextSteps({ event, state, hasDoor }: NextStepsProps) {
  const steps = stepsFor(event, state, hasDoor);
  return (
    <Panel title={text.steps} help={<HelpButton panel="eventOverview" title={text.steps} />}>
      {steps.length === 0 && (
        <p className={styles.soft}>{hasBegun(state) ? text.stepsOver : text.stepsDone}</p>
      )}
      <ul className={styles.steps}>
        {steps.map(({ to, title, hint }) => (
          <li key={title}>
            <Link to={to}>
              <span>
                <strong>{title}</strong>
                <span>{hint}</span>
              </span>
              <ChevronRightIcon size={18} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Activity({ eventId }: { eventId: string }) {
  const { count, shortDate } = useFormats();
  const { data: days, error, refetch } = useQuery(eventActivityQuery(eventId));
  // a time without a Z is read in the viewer's time zone, in which the date is shown
  const written = (day: string) => shortDate(`${day}T12:00:00`);
  const most = Math.max(1, ...(days ?? []).map(({ registrations }) => registrations));
  const total = (days ?? []).reduce((sum, { registrations }) => sum + registrations, 0);
  return (
    <Panel title={text.activity} lead={days && text.activityTotal({ total: count(total) })}>
      {error && !days && <ErrorState error={error} retry={() => void refetch()} />}
      {!days && !error && <div className={styles.days} />}
      {days && (
        <>
          <ol className={styles.days}>
            {days.map(({ day, registrations }) => (
              <li key={day} title={`${written(day)}: ${count(registrations)}`}>
                <span className="visually-hidden">
                  {written(day)}: {count(registrations)}
                </span>
                <i style={{ height: `${(registrations / most) * 100}%` }} />
              </li>
            ))}
          </ol>
          <p className={styles.span} aria-hidden="true">
            <span>{written(days[0]?.day ?? '')}</span>
            <span>{text.today}</span>
          </p>
        </>
      )}
    </Panel>
  );
}

function AnswerCounts({ event, hasEnded }: { event: EventPage; hasEnded: boolean }) {
  const { count } = useFormats();
  const { data: answers, error, refetch } = useQuery(eventAnswersQuery(event.id));
  return (
    <Panel title={questionsText.answers}>
      {error && !answers && <ErrorState error={error} retry={() => void refetch()} />}
      {hasEnded && answers?.every(({ answered }) => answered === 0) && (
        <p className="soft">{questionsText.noAnswers}</p>
      )}
      <dl className={styles.answers}>
        {event.content.questions.map(({ id, label }) => {
          const summary = answers?.find(({ questionId }) => questionId === id);
          return (
            <div key={id}>
              <dt dir="auto">{label}</dt>
              {summary?.counts.length === 0 && <dd>{questionsText.answered({ count: summary.answered })}</dd>}
              {summary?.counts.map(({ answer, count: given }) => (
                <dd key={String(answer)}>
                  <span dir="auto">{formatAnswer(answer)}</span> <strong>{count(given)}</strong>
                </dd>
              ))}
            </div>
          );
        })}
      </dl>
    </Panel>
  );
}
