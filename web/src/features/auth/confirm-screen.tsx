import type { Confirmation, FlowPurpose, PlaceOutcome } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { codesText } from '@meetmark/i18n/texts/codes';
import { cardText } from '@meetmark/i18n/texts/event-page';
import { confirmText as text, linkText, revertText } from '@meetmark/i18n/texts/links';
import { resetText } from '@meetmark/i18n/texts/passwords';
import { secondStepText } from '@meetmark/i18n/texts/security';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { hasCode, refusedFields, serverMessage } from '../../api/client';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import { Field, FirstNameField, LastNameField } from '../../ui/field';
import { lazyDialog } from '../../ui/lazy';
import { useForm } from '../../ui/use-form';
import { LinkAction, LinkPage, ResetDone } from './auth-page';
import styles from './auth-page.module.css';
import { getSecondStep } from './auth.api';
import { useConfirmLink, useRevertEmail } from './codes.api';
import { notedReturnTo } from './return-to';
import { useSession } from './session';

const SecondStep = lazyDialog(() => import('./second-step'));

const HOME = { to: '/', label: text.home };

/**
 * Parses a hash such as `#verify.secret`. Browsers don't send the hash, so the secret appears in no log or
 * referrer.
 */
function linkIn(hash: string): { purpose: FlowPurpose; token: string } | null {
  const [, purpose, token] = /^#(verify|sign-in|reset|email|rsvp)\.([\w-]{22})$/.exec(hash) ?? [];
  return purpose && token ? { purpose: purpose as FlowPurpose, token } : null;
}

export default function ConfirmScreen() {
  const { hash } = useLocation();
  const [link] = useState(() => linkIn(hash));
  const confirmation = useConfirmLink();
  const navigate = useNavigate();
  const place = useRef<PlaceOutcome>(undefined);
  const [refused, setRefused] = useState<PlaceOutcome>();
  if (refused) return <Confirmed purpose="rsvp" user={null} next={null} passwordEnded={false} {...refused} />;
  if (link === null || isOver(confirmation.error)) return <InvalidLink />;
  const methods = getSecondStep(confirmation.error);
  if (methods)
    return (
      <LinkPage title={secondStepText.title} sentence={secondStepText.intro} links={[HOME]}>
        <SecondStep
          methods={methods}
          close={confirmation.reset}
          accepted={({ rsvp }) => {
            place.current = rsvp;
          }}
          done={() => {
            if (place.current?.refusal) setRefused(place.current);
            else void navigate(getNextPath(link.purpose, place.current));
          }}
        />
      </LinkPage>
    );
  if (confirmation.data && link.purpose === 'reset') return <ResetDone />;
  if (confirmation.data) return <Confirmed {...confirmation.data} />;
  const words = linkText[link.purpose];
  return (
    <LinkPage title={words.title} sentence={words.intro} links={[HOME]}>
      {link.purpose === 'reset' ? (
        <ChoosePassword token={link.token} confirmation={confirmation} />
      ) : link.purpose === 'rsvp' ? (
        <Register token={link.token} confirmation={confirmation} />
      ) : (
        <Press token={link.token} confirmation={confirmation} purpose={link.purpose} />
      )}
    </LinkPage>
  );
}

const getNextPath = (purpose: FlowPurpose, place?: PlaceOutcome) =>
  place ? `/events/${place.eventId}` : (purpose === 'sign-in' && notedReturnTo()) || '/';

const isOver = (error: unknown) => hasCode(error, 'CODE_INVALID');

const InvalidLink = () => (
  <LinkPage title={text.invalidTitle} sentence={text.invalid} announced links={[HOME]} />
);

type LinkConfirmation = ReturnType<typeof useConfirmLink>;

interface PressProps {
  token: string;
  purpose: FlowPurpose;
  confirmation: LinkConfirmation;
}

function Press({ token, purpose, confirmation }: PressProps) {
  const confirmOnce = useOnce(confirmation);
  return (
    <LinkAction
      call={confirmation}
      words={{ ...linkText[purpose], failed: codesText.failed }}
      press={() => confirmOnce({ token })}
    />
  );
}

const namesMissing = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  ...(!firstName.trim() && { firstName: cardText.firstNameRequired }),
  ...(!lastName.trim() && { lastName: cardText.lastNameRequired }),
});

/** Asks for the name if it was typed in another browser, because anyone could have typed it there. */
function Register({ token, confirmation }: { token: string; confirmation: LinkConfirmation }) {
  const confirmOnce = useOnce(confirmation);
  const [isNew, setIsNew] = useState(false);
  const [showMe, setShowMe] = useState(true);
  const { form, bind, submit } = useForm({ firstName: '', lastName: '' }, namesMissing);
  const { words, ...call } = { ...confirmation, words: { ...linkText.rsvp, failed: codesText.failed } };
  if (!isNew)
    return (
      <LinkAction
        call={call}
        words={words}
        press={() =>
          confirmOnce({ token }, { onError: (error) => setIsNew('firstName' in refusedFields(error)) })
        }
      />
    );
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={submit((names) => confirmOnce({ token, ...names, showMe: showMe ? 'name' : 'no' }))}
      noValidate
    >
      <p role="status">{text.whoAreYou}</p>
      <FirstNameField label={cardText.firstName} {...bind('firstName')} />
      <LastNameField label={cardText.lastName} {...bind('lastName')} />
      <label className={styles.check}>
        <input type="checkbox" checked={showMe} onChange={({ target }) => setShowMe(target.checked)} />
        <span>{cardText.showMe}</span>
      </label>
      {confirmation.isError && !('firstName' in refusedFields(confirmation.error)) && (
        <Refusal>{serverMessage(confirmation.error) ?? words.failed}</Refusal>
      )}
      <ActionButton type="primary" htmlType="submit" size="large" block inactive={confirmation.isPending}>
        {confirmation.isPending ? words.acting : words.act}
      </ActionButton>
    </form>
  );
}

function Confirmed({ purpose, next, passwordEnded, eventId, waiting, refusal }: Confirmation) {
  const { user } = useSession();
  const words = linkText[purpose];
  const onTheWay = purpose === 'sign-in' ? notedReturnTo() : null;
  const ways = [
    ...(onTheWay ? [{ to: onTheWay, label: text.goOn }] : []),
    ...(eventId ? [{ to: `/events/${eventId}`, label: text.toEvent }] : []),
    ...(passwordEnded ? [{ to: '/forgot-password', label: text.choosePassword }] : []),
    user ? HOME : { to: '/?signin=1', label: text.signIn },
  ];
  if (next === 'new-address')
    return <LinkPage title={text.nextTitle} sentence={text.next} announced links={[HOME]} />;
  if (refusal)
    return (
      <LinkPage
        title={text.refusedTitle}
        sentence={refusal.code === 'VALIDATION_FAILED' ? text.answerThere : refusal.message}
        announced
        links={ways}
      />
    );
  if (waiting) return <LinkPage title={text.waitingTitle} sentence={text.waiting} announced links={ways} />;
  return (
    <LinkPage
      title={words.done}
      sentence={passwordEnded ? `${words.doneHint} ${text.passwordEnded}` : words.doneHint}
      announced
      links={ways}
    />
  );
}

const tooShort = ({ newPassword }: { newPassword: string }) =>
  newPassword.length < LIMITS.passwordMin ? { newPassword: resetText.passwordTooShort } : {};

function ChoosePassword({ token, confirmation }: { token: string; confirmation: LinkConfirmation }) {
  const confirmOnce = useOnce(confirmation);
  const { form, bind, submit } = useForm({ newPassword: '' }, tooShort);
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={submit(({ newPassword }) => confirmOnce({ token, newPassword }))}
      noValidate
    >
      <Field
        label={resetText.newPassword}
        type="password"
        autoComplete="new-password"
        maxLength={LIMITS.password}
        {...bind('newPassword')}
      />
      {confirmation.isError && <Refusal>{serverMessage(confirmation.error) ?? resetText.failed}</Refusal>}
      <ActionButton type="primary" htmlType="submit" size="large" block inactive={confirmation.isPending}>
        {confirmation.isPending ? resetText.submitting : resetText.submit}
      </ActionButton>
    </form>
  );
}

export function RevertEmailScreen() {
  const { hash } = useLocation();
  const [token] = useState(() => (/^#([\w-]{22})$/.exec(hash) ?? [])[1] ?? null);
  const revert = useRevertEmail();
  const revertOnce = useOnce(revert);
  const password = useConfirmLink();
  if (password.isSuccess) return <ResetDone />;
  if (revert.data)
    return (
      <LinkPage
        title={revertText.chooseTitle}
        sentence={revertText.choose({ email: revert.data.email })}
        announced
        links={[HOME]}
      >
        <ChoosePassword token={revert.data.resetToken} confirmation={password} />
      </LinkPage>
    );
  if (token === null || isOver(revert.error)) return <InvalidLink />;
  return (
    <LinkPage title={revertText.title} sentence={revertText.intro} links={[HOME]}>
      <LinkAction
        call={revert}
        words={{ ...revertText, failed: codesText.failed }}
        press={() => revertOnce(token)}
      />
    </LinkPage>
  );
}
