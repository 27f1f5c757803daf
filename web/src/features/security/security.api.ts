import type { AddedFactor, OwnSession, SecondFactors } from '@meetmark/contracts';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useQueryClient } from '@tanstack/react-query';
import { send, sendForJson } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { CURRENT_USER_KEY, readQuery } from '../../api/query-client';

const FACTORS = '/api/user/second-factors';
const SESSIONS = '/api/user/sessions';

export const secondFactorsQuery = readQuery<SecondFactors>(FACTORS);

export const ownSessionsQuery = readQuery<OwnSession[]>(SESSIONS);

const post = <T>(path: string, body?: unknown) => sendForJson<T>(path, { method: 'POST', body });

function useFactorChange<Payload, Answer>(change: (payload: Payload) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [FACTORS] });
      await client.invalidateQueries({ queryKey: [SESSIONS] });
      await client.invalidateQueries({ queryKey: CURRENT_USER_KEY });
    },
  });
}

export const useBeginTotp = () =>
  useFactorChange(() => post<{ secret: string; uri: string }>(`${FACTORS}/totp`));

export const useConfirmTotp = () =>
  useFactorChange((fields: { name: string; code: string }) =>
    post<AddedFactor>(`${FACTORS}/totp/confirm`, fields),
  );

/** Rejects with WebAuthn's error if the person cancels or the device refuses. */
export const useAddPasskey = () =>
  useFactorChange(async ({ name }: { name: string }) => {
    const [{ startRegistration }, optionsJSON] = await Promise.all([
      import('@simplewebauthn/browser'),
      post<PublicKeyCredentialCreationOptionsJSON>(`${FACTORS}/passkey`),
    ]);
    const response = await startRegistration({ optionsJSON });
    return post<AddedFactor>(`${FACTORS}/passkey/confirm`, { name, response });
  });

export const useRemoveFactor = () =>
  useFactorChange((id: string) => send(`${FACTORS}/${id}`, { method: 'DELETE' }));

export const useRenewRecoveryCodes = () =>
  useFactorChange(() => post<{ recoveryCodes: string[] }>('/api/user/recovery-codes'));

export function useEndSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id?: string) =>
      send(id === undefined ? SESSIONS : `${SESSIONS}/${id}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: [SESSIONS] }),
  });
}
