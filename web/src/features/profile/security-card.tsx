import type { AddedFactor, SecondFactor, SecondFactors } from '@meetmark/contracts';
import { securityText as text } from '@meetmark/i18n/texts/security';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { ActionButton } from '../../ui/action-button';
import { Card } from '../../ui/card';
import { Loaded } from '../../ui/feedback';
import { lazyDialog } from '../../ui/lazy';
import { useFormats } from '../../ui/use-formats';
import { useAction } from '../auth/use-action';
import { useMember } from '../auth/session';
import { ConfirmAddress } from '../auth/verification-notice';
import { HelpButton } from '../help/help-button';
import cards from './profile.module.css';
import {
  secondFactorsQuery,
  useBeginTotp,
  useRemoveFactor,
  useRenewRecoveryCodes,
} from '../security/security.api';
import styles from '../security/security.module.css';

const addFactorDialogs = () => import('../security/add-factor-dialogs');
const AddAuthenticatorDialog = lazyDialog(async () => ({
  default: (await addFactorDialogs()).AddAuthenticatorDialog,
}));
export const AddPasskeyDialog = lazyDialog(async () => ({
  default: (await addFactorDialogs()).AddPasskeyDialog,
}));
const RecoveryCodesDialog = lazyDialog(async () => ({
  default: (await addFactorDialogs()).RecoveryCodesDialog,
}));

export function SecurityCard() {
  const query = useQuery(secondFactorsQuery);
  return (
    <Card
      id="security"
      titleId="security-title"
      title={text.title}
      intro={text.intro}
      help={<HelpButton panel="security" title={text.title} />}
    >
      <Loaded query={query}>{(data) => <Factors {...data} />}</Loaded>
    </Card>
  );
}

function Factors({ factors, recoveryCodesLeft, required }: SecondFactors) {
  const isProved = useMember().emailVerifiedAt !== null;
  const begin = useBeginTotp();
  const beginOnce = useAction(begin);
  const renewal = useRenewRecoveryCodes();
  const renewOnce = useAction(renewal);
  const removal = useRemoveFactor();
  const removeOnce = useAction(removal);
  const [adding, setAdding] = useState<'totp' | 'passkey' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { failed } = text;
  const remove = ({ id, name }: SecondFactor) =>
    removeOnce(id, {
      title: text.removed({ name }),
      failed,
      onSuccess: () => document.getElementById('security-title')?.focus(),
    });
  const added = ({ recoveryCodes }: AddedFactor) => setCodes(recoveryCodes);
  const close = () => setAdding(null);
  const none = factors.length === 0;
  return (
    <>
      {required && none && <p role="note">{text.required}</p>}
      {none ? (
        <p>{text.none}</p>
      ) : (
        <ul className={styles.rows}>
          {factors.map((factor) => (
            <FactorRow
              key={factor.id}
              factor={factor}
              busy={removal.isPending}
              remove={() => remove(factor)}
            />
          ))}
        </ul>
      )}
      {!none && <p className={cards.soft}>{text.codesLeft({ left: recoveryCodesLeft })}</p>}
      {!isProved && <p role="note">{text.unproved}</p>}
      <div className={cards.buttons}>
        <ConfirmAddress />
        {isProved && (
          <ActionButton
            inactive={begin.isPending}
            onClick={() => beginOnce(undefined, { onSuccess: () => setAdding('totp'), failed })}
          >
            {text.addAuthenticator}
          </ActionButton>
        )}
        {isProved && 'PublicKeyCredential' in window && (
          <Button onClick={() => setAdding('passkey')}>{text.addPasskey}</Button>
        )}
        {!none && (
          <ActionButton
            type="text"
            inactive={renewal.isPending}
            onClick={() =>
              renewOnce(undefined, { onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes), failed })
            }
          >
            {text.newCodes}
          </ActionButton>
        )}
      </div>
      {adding === 'totp' && begin.data && (
        <AddAuthenticatorDialog setup={begin.data} added={added} close={close} />
      )}
      {adding === 'passkey' && <AddPasskeyDialog added={added} close={close} />}
      {adding === null && codes && <RecoveryCodesDialog codes={codes} close={() => setCodes(null)} />}
    </>
  );
}

function FactorRow({ factor, busy, remove }: { factor: SecondFactor; busy: boolean; remove: () => void }) {
  const formats = useFormats();
  const { kind, name, createdAt, lastUsedAt } = factor;
  const used = lastUsedAt === null ? text.neverUsed : text.used({ date: formats.shortDate(lastUsedAt) });
  return (
    <li className={styles.row}>
      <div>
        <strong>{name}</strong>
        <span className={cards.soft}>
          {text.kind[kind]} · {text.added({ date: formats.shortDate(createdAt) })} · {used}
        </span>
      </div>
      <ActionButton type="text" inactive={busy} aria-label={text.removeNamed({ name })} onClick={remove}>
        {text.remove}
      </ActionButton>
    </li>
  );
}
