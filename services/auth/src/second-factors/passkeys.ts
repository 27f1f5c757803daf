import { DomainError, type PasskeySite } from '@meetmark/contracts';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

// loads lazily, because its ASN.1 parsers use memory that most processes never need
const webAuthn = () => import('@simplewebauthn/server');

const getHost = ({ origin }: PasskeySite) => new URL(origin).hostname;

export interface Passkey {
  id: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[] | null;
}

export type NewPasskey = Omit<Passkey, 'id'>;

export async function creationOptions(
  site: PasskeySite,
  user: { id: string; email: string; name: string },
  present: Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: site.name,
    rpID: getHost(site),
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: present.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

export async function newPasskey(
  site: PasskeySite,
  challenge: string,
  response: object,
): Promise<NewPasskey> {
  const { verifyRegistrationResponse } = await webAuthn();
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: getHost(site),
    requireUserVerification: false,
  }).catch((cause: unknown) => {
    throw new DomainError('SECOND_FACTOR_INVALID', undefined, { cause });
  });
  if (!verified.verified) throw new DomainError('SECOND_FACTOR_INVALID');
  const { credential } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? null,
  };
}

export async function requestOptions(
  site: PasskeySite,
  present: Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: getHost(site),
    allowCredentials: present.map(described),
    userVerification: 'preferred',
  });
}

export async function signedPasskey(
  site: PasskeySite,
  challenge: string,
  response: object,
  present: Passkey[],
): Promise<{ id: string; counter: number } | null> {
  const { id } = response as Partial<AuthenticationResponseJSON>;
  const passkey = present.find(({ credentialId }) => credentialId === id);
  if (passkey === undefined) return null;
  const { verifyAuthenticationResponse } = await webAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: getHost(site),
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: false,
    });
    return verified ? { id: passkey.id, counter: authenticationInfo.newCounter } : null;
  } catch {
    return null;
  }
}

const described = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  transports: transports ?? undefined,
});
