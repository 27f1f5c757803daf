import type { DoorGuest } from '@meetmark/contracts';
import { DOOR_UNDO_WITHIN } from '@meetmark/contracts/limits';
import { doorText as text } from '@meetmark/i18n/texts/door';
import {
  type ComponentProps,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useScheme } from '../app/theme/use-scheme';
import { EmptyState } from '../ui/feedback';
import { useFocusHandedOn } from '../ui/focus-place';
import { CheckIcon, CloseIcon, OfflineIcon, SearchIcon } from '../ui/icons';
import { PlusIcon } from '../ui/more-icons';
import { Camera } from './camera';
import styles from './door.module.css';
import { type Answer, codeIn, matching } from './guest-list';
import type { DoorPhone, PhoneState } from './phone';

/** Maximum number of rows in the list. Typing finds other guests faster than scrolling. */
const ROWS = 60;

const formatTime = (moment: string) =>
  new Date(moment).toLocaleTimeString(document.documentElement.lang, { hour: 'numeric', minute: '2-digit' });

type Tone = 'good' | 'careful' | 'bad';
interface Spoken {
  tone: Tone;
  title: string;
  hint?: string;
  undo?: { key: string; name: string };
  override?: () => Promise<Answer>;
}

export function DoorScreen({ phone }: { phone: DoorPhone }) {
  useScheme();
  useFocusHandedOn();
  const state = useSyncExternalStore(phone.subscribe, phone.now);
  const [spoken, setSpoken] = useState<{ number: number; words: Spoken; since: number } | null>(null);
  const [adds, setAdds] = useState(false);
  const asked = useRef(0);
  const title = state.event?.title;
  useEffect(() => {
    document.title = title ? `${text.title} · ${title}` : text.title;
  }, [title]);

  const say = (words: Spoken, since = Date.now(), number = (asked.current += 1)) => {
    // a late answer must not replace the answer to a newer request
    if (number < asked.current) return;
    setSpoken({ number, words, since });
    navigator.vibrate?.(words.tone === 'good' ? 60 : [120, 60, 120]);
  };
  const answer = async (asking: Promise<Answer>) => {
    const since = Date.now();
    const number = (asked.current += 1);
    say(inWords(await asking, phone), since, number);
  };
  const scanned = (said: string) => {
    const code = codeIn(said);
    if (code === null) say({ tone: 'bad', title: text.notACode });
    else void answer(phone.scan(code));
  };

  if (state.link === 'ended') return <Ended event={state.event} refused={state.refused} />;
  if (state.event === null)
    return (
      <main className={styles.page}>
        <h1>{text.title}</h1>
        <p role="status">{state.online ? text.opening : text.neverOpened}</p>
      </main>
    );
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div>
          <Community />
          <h1 dir="auto">{state.event.title}</h1>
          <Connection state={state} />
        </div>
        <p className={styles.counter}>
          <strong>
            {text.counter({ checkedIn: state.counts.checkedIn, registered: state.counts.registered })}
          </strong>
          <span>{text.counterHint}</span>
        </p>
      </header>
      <main className={styles.main}>
        {state.event.cancelled && <p className={styles.careful}>{text.eventCancelled}</p>}
        {state.forgetful && <p className={styles.careful}>{text.needsHttps}</p>}
        <Mistakes phone={phone} mistakes={state.mistakes} answer={answer} />
        <Camera onCode={scanned} />
        <GuestList
          guests={state.guests}
          scanned={scanned}
          choose={(guest) => void answer(phone.choose(guest.id))}
        />
        <button type="button" className={styles.secondary} onClick={() => setAdds(true)}>
          <PlusIcon size={18} /> {text.walkIn}
        </button>
      </main>
      <AnswerPanel
        key={spoken?.number}
        spoken={spoken?.words ?? null}
        since={spoken?.since ?? 0}
        act={(asking) => void answer(asking)}
        undo={({ key, name }) => void answer(phone.undo(key, name))}
      />
      {adds && (
        <WalkIn
          close={() => setAdds(false)}
          letIn={(name, email) => {
            setAdds(false);
            void answer(phone.walkIn(name, email));
          }}
        />
      )}
    </div>
  );
}

function inWords(answer: Answer, phone: DoorPhone): Spoken {
  switch (answer.kind) {
    case 'in':
      return { tone: 'good', title: text.in({ name: answer.name }), undo: answer };
    case 'undone':
      return { tone: 'careful', title: text.undone({ name: answer.name }) };
    case 'undo-too-late':
      return { tone: 'careful', title: text.in({ name: answer.name }), hint: text.undoTooLate };
    case 'already':
      return { tone: 'careful', title: answer.name, hint: text.alreadyIn({ time: formatTime(answer.at) }) };
    case 'not-registered': {
      const { name, guestId, state } = answer;
      const hint = state === 'waitlisted' ? text.notRegistered.waitlisted : text.notRegistered.cancelled;
      return { tone: 'careful', title: name, hint, override: () => phone.choose(guestId, true) };
    }
    case 'full': {
      const { name, email } = answer;
      return {
        tone: 'careful',
        title: text.full,
        hint: text.fullHint({ name }),
        override: () => phone.walkIn(name, email, true),
      };
    }
    case 'no-address': {
      const { name } = answer;
      const override = () => phone.walkIn(name, null);
      return { tone: 'careful', title: text.noAddress, hint: text.noAddressHint({ name }), override };
    }
    case 'wrong-event':
      return { tone: 'bad', title: text.wrongEvent({ title: answer.title }) };
    case 'event-cancelled':
      return { tone: 'bad', title: text.eventCancelled };
    case 'refused':
      return { tone: 'bad', title: text.refusedBecause({ name: answer.name }), hint: answer.reason };
    case 'unknown': {
      const { code } = answer;
      if (code === undefined) return { tone: 'bad', title: text.unknown };
      const override = () => phone.letInUnknown(code, text.unknownGuest);
      return { tone: 'bad', title: text.unknown, hint: text.unknownOffline, override };
    }
  }
}

const community = JSON.parse(document.getElementById('community')?.textContent ?? 'null') as {
  name: string;
  logoUrl: string | null;
} | null;

const Community = () =>
  community && (
    <p className={styles.community}>
      <img src={community.logoUrl ?? '/favicon.svg'} alt="" height={20} />
      <span dir="auto">{community.name}</span>
    </p>
  );

function Connection({ state: { online, waiting } }: { state: PhoneState }) {
  return (
    <p role="status" className={styles.connection} data-offline={!online || undefined}>
      {online ? <i aria-hidden="true" /> : <OfflineIcon size={16} />}
      {[online ? text.online : text.offline, waiting > 0 && text.waiting({ count: waiting })]
        .filter(Boolean)
        .join(' · ')}
    </p>
  );
}

interface AnswerPanelProps {
  spoken: Spoken | null;
  /** Time of the check-in in milliseconds since 1970. The Undo button disappears ten seconds later. */
  since: number;
  act: (asking: Promise<Answer>) => void;
  undo: (given: { key: string; name: string }) => void;
}

function AnswerPanel({ spoken, since, act, undo }: AnswerPanelProps) {
  const [undoable, setUndoable] = useState(true);
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement?.matches(':focus-visible')) activeElement.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => setUndoable(false), since + DOOR_UNDO_WITHIN - Date.now());
    return () => clearTimeout(timer);
  }, [since]);
  return (
    <div className={styles.answer} data-tone={spoken?.tone}>
      <div role="status" aria-atomic="true">
        {spoken && (
          <>
            <p className={styles.answerTitle} dir="auto">
              {spoken.tone === 'good' ? (
                <CheckIcon size={32} />
              ) : (
                spoken.tone === 'bad' && <CloseIcon size={32} />
              )}
              <span>{spoken.title}</span>
            </p>
            {spoken.hint && <p className={styles.answerHint}>{spoken.hint}</p>}
          </>
        )}
      </div>
      {spoken?.override && (
        <button type="button" onClick={() => act(spoken.override!())}>
          {text.override}
        </button>
      )}
      {spoken?.undo && undoable && (
        <button type="button" onClick={() => undo(spoken.undo!)}>
          {text.undo}
        </button>
      )}
    </div>
  );
}

interface GuestListProps {
  guests: DoorGuest[];
  choose: (guest: DoorGuest) => void;
  scanned: (text: string) => void;
}

/** Enter chooses the only match or submits a code. Scanners that act as keyboards send Enter after a code. */
function GuestList({ guests, choose, scanned }: GuestListProps) {
  const [typed, setTyped] = useState('');
  const rows = useRef<HTMLUListElement>(null);
  const field = useId();
  const found = matching(guests, typed);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const [only, another] = found;
    if (codeIn(typed) !== null && !only) scanned(typed);
    else if (only && !another) choose(only);
    else return rows.current?.querySelector('button')?.focus();
    setTyped('');
  };
  return (
    <section className={styles.list}>
      <form role="search" onSubmit={submit}>
        <label htmlFor={field}>{text.find}</label>
        <div className={styles.search}>
          <input
            id={field}
            value={typed}
            placeholder={text.findHint}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="go"
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setTyped(target.value)}
          />
          <button type="submit" aria-label={text.search}>
            <SearchIcon size={20} />
          </button>
        </div>
      </form>
      <ul ref={rows} aria-label={text.guests}>
        {found.slice(0, ROWS).map((guest) => (
          <li key={guest.id}>
            <button type="button" className={styles.row} onClick={() => choose(guest)}>
              <strong dir="auto">{guest.name}</strong>
              <span data-state={guest.checkedInAt === null ? guest.state : 'in'}>
                {guest.checkedInAt === null
                  ? text.states[guest.state]
                  : text.inAt({ time: formatTime(guest.checkedInAt) })}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className={styles.soft}>
        {found.length === 0
          ? text.noMatch
          : found.length > ROWS
            ? text.more({ count: found.length - ROWS })
            : ''}
      </p>
    </section>
  );
}

function Mistakes({
  phone,
  mistakes,
  answer,
}: {
  phone: DoorPhone;
  mistakes: PhoneState['mistakes'];
  answer: (asking: Promise<Answer>) => Promise<void>;
}) {
  if (mistakes.length === 0) return null;
  return (
    <section className={styles.mistakes} aria-label={text.mistakes}>
      <h2>{text.mistakes}</h2>
      <p>{text.mistakesHint}</p>
      <ul>
        {mistakes.map(({ key, name, answer: said }) => {
          const { title, hint, override } = inWords(said, phone);
          return (
            <li key={key}>
              <span dir="auto">{[...new Set([name, title, hint])].filter(Boolean).join(' · ')}</span>
              {override && (
                <button
                  type="button"
                  className={styles.secondary}
                  onClick={() => {
                    phone.dismiss(key);
                    void answer(override());
                  }}
                >
                  {text.override}
                </button>
              )}
              <button type="button" className={styles.secondary} onClick={() => phone.dismiss(key)}>
                {text.dismiss}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function WalkIn({
  close,
  letIn,
}: {
  close: () => void;
  letIn: (name: string, email: string | null) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const value = (name: string) => (given.get(name) as string).trim();
    dialog.current?.close();
    letIn(value('name'), value('email') || null);
  };
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={`${id}-title`} onClose={close}>
      <form onSubmit={submit}>
        <h2 id={`${id}-title`}>{text.walkInTitle}</h2>
        <Field id={`${id}-name`} label={text.name}>
          <input id={`${id}-name`} name="name" required pattern=".*\S.*" maxLength={200} autoComplete="off" />
        </Field>
        <Field id={`${id}-email`} label={text.email} hint={text.emailHint}>
          <input id={`${id}-email`} name="email" type="email" maxLength={255} autoComplete="off" />
        </Field>
        <div className={styles.actions}>
          <button type="button" className={styles.secondary} onClick={() => dialog.current?.close()}>
            {text.cancel}
          </button>
          <button type="submit" className={styles.primary}>
            {text.letIn}
          </button>
        </div>
      </form>
    </dialog>
  );
}

const Field = ({
  id,
  label,
  hint,
  children,
}: {
  id: string;
  label: string;
  hint?: string;
  children: ReactNode;
}) => (
  <div className={styles.field}>
    <label htmlFor={id}>{label}</label>
    {children}
    {hint && <p className={styles.soft}>{hint}</p>}
  </div>
);

function EndedTitle(title: ComponentProps<'h1'>) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return <h1 {...title} ref={heading} tabIndex={-1} />;
}

function Ended({ event, refused }: Pick<PhoneState, 'event' | 'refused'>) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <p className={styles.brand}>
          <img src="/favicon.svg" alt="" width={34} height={34} />
          <strong dir="auto">{event?.title ?? text.title}</strong>
        </p>
      </header>
      <main className={styles.ended}>
        <EmptyState heading={EndedTitle} title={text.ended} hint={text.endedWhy}>
          {refused.length > 0 && (
            <div role="alert" className={styles.lost}>
              <p className={styles.careful}>{text.endedRefused({ count: refused.length })}</p>
              <ul className={styles.refused}>
                {refused.map(({ key, name, at }) => (
                  <li key={key}>
                    <strong dir="auto">{name}</strong> <span>{formatTime(at)}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
          <p>{text.endedNext}</p>
          {event && <p className={styles.soft}>{text.endedForgot}</p>}
          <a href="/">{text.endedHome}</a>
        </EmptyState>
      </main>
    </div>
  );
}
