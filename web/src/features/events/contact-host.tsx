import type { EventPage } from '@meetmark/contracts';
import { HOST_MESSAGES, LIMITS } from '@meetmark/contracts/limits';
import { commonText } from '@meetmark/i18n/texts/common';
import { hostText as text } from '@meetmark/i18n/texts/host-messages';
import { Button } from 'antd';
import { type ComponentProps, useState } from 'react';
import {
  getErrorDetails,
  hasCode,
  isUnauthorized,
  sendForJson,
  serverMessage,
  useIdempotencyKey,
} from '../../api/client';
import { useMutation } from '../../api/mutation';
import { useCommunity } from '../../api/community';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Dialog, DialogButtons } from '../../ui/dialog';
import { Refusal } from '../../ui/feedback';
import { Field, TextArea } from '../../ui/field';
import { useToasts } from '../../ui/toasts';
import { useNow } from '../../ui/use-now';
import { type FieldErrors, looksLikeEmail, useForm } from '../../ui/use-form';
import { CodeField } from '../../ui/code-field';
import { useFailure, useSession } from '../auth/session';
import { CookiesNeeded } from '../auth/cookies-needed';
import styles from './contact-host.module.css';

export default function ContactHost({ event }: { event: EventPage }) {
  const { contactHost } = useCommunity();
  const now = useNow();
  const [open, setOpen] = useState(false);
  const isOver = Date.parse(event.endDate) + HOST_MESSAGES.takenAfter < now;
  if (!open && (!contactHost || isOver || event.mayManage)) return null;
  return (
    <>
      <Button type="link" className={styles.open} onClick={() => setOpen(true)}>
        {text.open}
      </Button>
      {open && (
        <Dialog title={text.open} close={() => setOpen(false)} width={520} form>
          {(dismiss) => <HostForm eventId={event.id} dismiss={dismiss} />}
        </Dialog>
      )}
    </>
  );
}

const EMPTY = { message: '', name: '', email: '', code: '' };
type Fields = typeof EMPTY;

function HostForm({ eventId, dismiss }: { eventId: string; dismiss: () => void }) {
  const toasts = useToasts();
  const failed = useFailure();
  const { user } = useSession();
  const [flow, setFlow] = useState<string | null>(null);
  const keyFor = useIdempotencyKey();
  const path = `/api/events/${eventId}/host-messages`;
  const post = <T,>(to: string, body: object, headers?: Record<string, string>) =>
    sendForJson<T>(path + to, { method: 'POST', body, headers });
  const { form, fields, bind, change, refuseAs, submit } = useForm<Fields>(EMPTY, (typed) =>
    user ? errorsOfMessage(typed) : flow === null ? errorsOfVisitor(typed) : errorsOfCode(typed),
  );

  const asking = useMutation({
    mutationFn: ({ email }: Fields) => post<{ flow: string }>('/code', { email: email.trim() }),
    onSuccess: (asked) => setFlow(asked.flow),
  });
  const sending = useMutation({
    mutationFn: ({ message, name, code }: Fields) => {
      if (user) return post('', { message }, keyFor({ message }));
      return post('/visitor', { message, name: name.trim(), flow, code });
    },
    onSuccess: (_, { email }) => {
      toasts.success(text.sent, text.sentTo({ email: user?.email ?? email.trim() }));
      dismiss();
    },
  });
  const underWay = flow === null && !user ? asking : sending;
  const askOnce = useOnce(asking);
  const sendOnce = useOnce(sending);
  const act = (typed: Fields) => {
    const onError = (error: Error) => {
      if (isUnauthorized(error)) failed(error, text.failed);
      else refuseAs(error);
    };
    if (underWay === asking) askOnce(typed, { onError });
    else sendOnce(typed, { onError });
  };
  const again = () => {
    sending.reset();
    askOnce(fields, {
      onSuccess: () => {
        change({ code: '' });
        toasts.success(text.newCodeSent);
      },
      onError: (error) => toasts.error(commonText.error, getErrorText(error)),
    });
  };

  const label = user || flow !== null ? text.send : text.sendCode;
  const busy = user || flow !== null ? text.sending : text.sendingCode;
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={submit(act)}>
      {flow !== null ? (
        <>
          <CookiesNeeded />
          <CodeFields
            email={fields.email}
            field={bind('code')}
            asking={asking.isPending}
            again={again}
            back={() => setFlow(null)}
          />
        </>
      ) : (
        <>
          <p className="soft anywhere">{text.intro}</p>
          <TextArea
            label={text.message}
            hint={text.messageHint}
            maxLength={LIMITS.hostMessage}
            rows={6}
            {...bind('message')}
          />
          {user ? (
            <p className="soft anywhere" dir="auto">
              {text.from({ name: `${user.firstName} ${user.lastName}`, email: user.email })}
            </p>
          ) : (
            <VisitorFields name={bind('name')} email={bind('email')} />
          )}
        </>
      )}
      {underWay.error && <Refusal>{getErrorText(underWay.error)}</Refusal>}
      <DialogButtons dismiss={dismiss} inactive={underWay.isPending}>
        {underWay.isPending ? busy : label}
      </DialogButtons>
    </form>
  );
}

type Bound = Pick<ComponentProps<typeof Field>, 'error'> & {
  value: string | undefined;
  onChange: (value: string) => void;
};

const VisitorFields = ({ name, email }: Record<'name' | 'email', Bound>) => (
  <div className="columns columns-wide">
    <Field label={text.name} autoComplete="name" maxLength={LIMITS.name} {...name} />
    <Field
      label={text.email}
      type="email"
      autoComplete="email"
      maxLength={LIMITS.email}
      hint={text.proof}
      {...email}
    />
  </div>
);

interface CodeFieldsProps {
  email: string;
  field: Bound;
  asking: boolean;
  again: () => void;
  back: () => void;
}

const CodeFields = ({ email, field, asking, again, back }: CodeFieldsProps) => (
  <>
    <p className="soft anywhere">{text.codeSent({ email: email.trim() })}</p>
    <div className={styles.code}>
      <CodeField label={text.code} autoFocus {...field} />
    </div>
    <p className={styles.ways}>
      <ActionButton type="link" inactive={asking} onClick={again}>
        {asking ? text.sendingCode : text.newCode}
      </ActionButton>
      <Button type="link" onClick={back}>
        {text.change}
      </Button>
    </p>
  </>
);

const errorsOfMessage = ({ message }: Fields): FieldErrors<Fields> =>
  message.trim().length < LIMITS.hostMessageMin
    ? { message: text.messageShort({ least: LIMITS.hostMessageMin }) }
    : {};

const errorsOfVisitor = (typed: Fields): FieldErrors<Fields> => ({
  ...errorsOfMessage(typed),
  ...(!typed.name.trim() && { name: text.nameRequired }),
  ...(!typed.email.trim()
    ? { email: text.emailRequired }
    : !looksLikeEmail(typed.email) && { email: text.emailInvalid }),
});

const errorsOfCode = ({ code }: Fields): FieldErrors<Fields> =>
  code.length < LIMITS.resetCode ? { code: text.codeShort } : {};

const HOUR = 3_600;

function getErrorText(error: unknown): string {
  if (hasCode(error, 'NOT_FOUND')) return text.off;
  const { retryAfter: seconds = 0 } = getErrorDetails(error, 'RATE_LIMITED') ?? {};
  // only the limit on messages to hosts lasts this long; the limit on requests from a network is shorter
  if (seconds >= HOUR / 2) return text.limit({ hours: Math.ceil(seconds / HOUR) });
  return serverMessage(error) ?? text.failed;
}
