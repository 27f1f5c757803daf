import type { SecondStepMethod, SignedIn } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { secondStepText as text } from '@meetmark/i18n/texts/security';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { hasCode, sendForJson } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { notKeptMessage, requireKept } from './auth.api';
import { rememberUser } from './current-user';
import { CodeField } from '../../ui/code-field';
import { CookiesNeeded } from './cookies-needed';
import styles from './second-step.module.css';

const SECOND_STEP = '/api/login/second-factor';

interface Given {
  code?: string;
  recoveryCode?: string;
  passkey?: object;
}

interface Props {
  methods: SecondStepMethod[];
  close: () => void;
  accepted?: (user: SignedIn) => void;
  done?: () => void;
}

const TURN = { passkey: text.usePasskey, totp: text.useCode, recovery: text.useRecovery } as const;
const INTRO = { passkey: text.passkeyIntro, totp: text.codeIntro, recovery: text.recoveryIntro } as const;

export default function SecondStep({ methods, close, accepted, done }: Props) {
  const client = useQueryClient();
  const [method, setMethod] = useState(methods[0] ?? 'recovery');
  const [typed, setTyped] = useState('');
  const step = useMutation({
    mutationFn: async (given: Given) => {
      const body = method === 'passkey' ? { passkey: await signWithPasskey() } : given;
      return requireKept(await sendForJson<SignedIn>(SECOND_STEP, { method: 'POST', body }), 'notKept');
    },
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
  const complete =
    method === 'passkey' || (method === 'totp' ? typed.length === LIMITS.resetCode : typed !== '');
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) submit();
      }}
    >
      <CookiesNeeded />
      <p>{INTRO[method]}</p>
      {method === 'totp' && (
        <CodeField
          key="totp"
          label={text.code}
          autoFocus
          value={typed}
          onChange={(value) => {
            setTyped(value);
            // submits at the last digit, because phones fill in all six digits together
            if (value.length === LIMITS.resetCode) submit(value);
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
      {step.isError && <Refusal>{getRefusalText(step.error, method)}</Refusal>}
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

function getRefusalText(error: unknown, method: SecondStepMethod): string {
  if (hasCode(error, 'SECOND_FACTOR_EXPIRED')) return text.expired;
  const notKept = notKeptMessage(error);
  if (notKept) return notKept;
  return method === 'passkey' ? text.passkeyFailed : text.wrong;
}
