export const securityText = {
  title: 'Security',
  intro: 'A second step keeps your account yours even when somebody learns your password.',
  none: 'Signing in takes your password alone.',
  addAuthenticator: 'Add an authenticator app',
  addPasskey: 'Add a passkey',
  kind: { totp: 'Authenticator app', passkey: 'Passkey' },
  added: (date: string) => `Added ${date}`,
  used: (date: string) => `last used ${date}`,
  neverUsed: 'not used yet',
  remove: 'Remove',
  removeNamed: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} has been removed`,
  required: 'Administrators of this community need a second factor. Add one here to use the admin area.',
  codesLeft: (left: number) =>
    left === 0
      ? 'No recovery codes are left.'
      : `${left} recovery ${left === 1 ? 'code is' : 'codes are'} left for the day you lose your device.`,
  newCodes: 'New recovery codes',
  failed: 'This did not work. Please try again.',
  passkeyFailed: 'Your browser did not make a passkey. Please try again.',

  sessionsTitle: 'Where you are signed in',
  sessionsIntro: 'Sign out a browser that you do not know, then change your password.',
  unknownDevice: 'Unknown browser',
  thisBrowser: 'This browser',
  sessionUsed: (when: string) => `Last used ${when}`,
  sessionFrom: (network: string) => `from ${network}`,
  end: 'Sign out',
  endNamed: (device: string) => `Sign out ${device}`,
  endOthers: 'Sign out all others',
  ended: 'Signed out there',
  othersEnded: 'All other browsers are signed out',
} as const;

export const authenticatorText = {
  title: 'Add an authenticator app',
  scan: 'Scan this with your authenticator app, or type the key into it.',
  qr: 'QR code with the key',
  key: 'Key',
  copy: 'Copy the key',
  copied: 'Key copied',
  copyFailed: 'The key could not be copied. Select it and copy it by hand.',
  name: 'Name',
  namePlaceholder: 'Such as: my phone',
  code: 'Code from the app',
  codeHint: 'The six digits that the app shows now.',
  submit: 'Add',
  submitting: 'Adding...',
  nameRequired: 'Name is required',
  codeInvalid: 'Code must be 6 digits',
  codeWrong: 'This code does not fit. Enter the one that the app shows now, or close this and begin again.',
} as const;

export const passkeyText = {
  title: 'Add a passkey',
  intro: 'Your device will ask for your fingerprint, your face or its PIN.',
  submit: 'Continue',
  submitting: 'Waiting for your device...',
} as const;

export const recoveryCodesText = {
  title: 'Your recovery codes',
  intro:
    'Each of these signs you in once when your device is lost. Keep them where you keep important papers: they are not shown again.',
  copy: 'Copy all',
  copied: 'Recovery codes copied',
  copyFailed: 'They could not be copied. Select them and copy them by hand.',
  done: 'I have kept them',
} as const;

export const confirmText = {
  title: 'Confirm that it is you',
  intro: 'This needs a proof that it is you at the keyboard. It holds for ten minutes.',
  password: 'Password',
  code: 'Code from your authenticator app',
  useCode: 'Use a code from your authenticator app instead',
  usePassword: 'Use your password instead',
  submit: 'Confirm',
  submitting: 'Confirming...',
  sendCode: 'Email me a code',
  codeSent: (email: string) => `We sent a code to ${email}.`,
  failed: 'This could not be confirmed. Please try again.',
} as const;

export const secondStepText = {
  title: 'One more step',
  intro: 'Your account asks for a second step.',
  codeIntro: 'Enter the six digits that your authenticator app shows.',
  passkeyIntro: 'Confirm with your passkey.',
  recoveryIntro: 'Enter one of your recovery codes. It can be used once.',
  code: 'Code',
  recoveryCode: 'Recovery code',
  usePasskey: 'Use your passkey',
  useCode: 'Use an authenticator code',
  useRecovery: 'Use a recovery code',
  submit: 'Continue',
  submitting: 'Checking...',
  back: 'Back to sign in',
  wrong: 'This is not right. Please try again.',
  expired: 'This took too long or too many tries. Sign in again.',
  passkeyFailed: 'The passkey was not confirmed. Please try again.',
} as const;
