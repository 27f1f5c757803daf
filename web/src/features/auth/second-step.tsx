import type { SecondStepMethod, SignedIn } from '@meetmark/contracts';
import { secondStepText as text } from '@meetmark/contracts/texts/security';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { hasCode, sendForJson } from '../../api/client';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { rememberUser } from './auth.api';
import { CodeField } from './code-field';
import styles from './second-step.module.css';

const SECOND_STEP = '/api/login/second-factor';
const CODE_LENGTH = 6;

interface Given {
  code?: string;
  recoveryCode?: string;
  passkey?: object;
}

interface Props {
  methods: SecondStepMethod[];
  /** Returns to the first step. */
  close: () => void;
  /** The session has begun; the screens do not follow it yet. */
  accepted?: (user: SignedIn) => void;
  /** The session has begun. */
  done?: () => void;
}

const TURN = { passkey: text.usePasskey, totp: text.useCode, recovery: text.useRecovery } as const;
const INTRO = { passkey: text.passkeyIntro, totp: text.codeIntro, recovery: text.recoveryIntro } as const;

/** The second step of a sign-in, by whichever way the account has. */
export default function SecondStep({ methods, close, accepted, done }: Props) {
  const client = useQueryClient();
  const [method, setMethod] = useState(methods[0] ?? 'recovery');
  const [typed, setTyped] = useState('');
  const step = useMutation({
    mutationFn: async (given: Given) =>
      sendForJson<SignedIn>(SECOND_STEP, {
        method: 'POST',
        body: method === 'passkey' ? { passkey: await signWithPasskey() } : given,
      }),
    onSuccess: async (user) => {
      accepted?.(user);
      rememberUser(client, user);
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'flow' });
      done?.();
    },
  });
  const stepOnce = useOnce(step);
  const submit = (value = typed) => stepOnce(method === 'totp' ? { code: value } : { recoveryCode: value });
  const turn = (next: SecondStepMethod) => {
    setMethod(next);
    setTyped('');
    step.reset();
  };
  const complete = method === 'passkey' || (method === 'totp' ? typed.length === CODE_LENGTH : typed !== '');
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) submit();
      }}
    >
      <p>{INTRO[method]}</p>
      {method === 'totp' && (
        <CodeField
          key="totp"
          label={text.code}
          autoFocus
          value={typed}
          onChange={(value) => {
            setTyped(value);
            // the last digit sends it: phones fill all six in at once
            if (value.length === CODE_LENGTH) submit(value);
          }}
        />
      )}
      {method === 'recovery' && (
        <Field
          key="recovery"
          label={text.recoveryCode}
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={40}
          value={typed}
          onChange={setTyped}
        />
      )}
      {step.isError && <Refusal>{refusalOf(step.error, method)}</Refusal>}
      <ActionButton
        type="primary"
        htmlType="submit"
        size="large"
        block
        autoFocus={method === 'passkey'}
        inactive={!complete || step.isPending}
      >
        {step.isPending ? text.submitting : text.submit}
      </ActionButton>
      <div className={styles.turns}>
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} type="link" className={styles.turn} onClick={() => turn(other)}>
              {TURN[other]}
            </Button>
          ))}
        <Button type="link" className={styles.turn} onClick={close}>
          {text.back}
        </Button>
      </div>
    </form>
  );
}

async function signWithPasskey(): Promise<object> {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([
    import('@simplewebauthn/browser'),
    sendForJson<PublicKeyCredentialRequestOptionsJSON>(`${SECOND_STEP}/passkey`, { method: 'POST' }),
  ]);
  return startAuthentication({ optionsJSON });
}

function refusalOf(error: unknown, method: SecondStepMethod): string {
  if (hasCode(error, 'SECOND_FACTOR_EXPIRED')) return text.expired;
  return method === 'passkey' ? text.passkeyFailed : text.wrong;
}
