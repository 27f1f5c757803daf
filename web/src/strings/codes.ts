import type { FlowPurpose } from '@meetmark/contracts';

export const codesText = {
  code: '6-digit code',
  sentTo: (email: string) => `We sent a code to ${email}. It is good for 10 minutes, in this browser.`,
  ifAccount: (email: string) =>
    `If ${email} has an account, a 6-digit code arrives within a minute. It is good for 10 minutes, in this browser.`,
  confirm: 'Confirm',
  confirming: 'Confirming...',
  sendAgain: 'Send a new code',
  sending: 'Sending...',
  sentAgain: 'A new code is on its way',
  sendFailed: 'The code could not be requested. Please try again.',
  failed: 'That did not work. Please try again.',
  elsewhereTitle: 'Confirmed on another device',
  elsewhere: 'The link in the mail was opened there. You can close this page, or sign in here too.',
} as const;

export const signInCodeText = {
  confirm: 'Sign In',
  back: 'Sign in with a password',
} as const;

export const verificationText = {
  label: 'Email address',
  banner: (email: string) => `Confirm your email address: we sent a code to ${email}.`,
  why: 'Until then you get no other mails, your name is not shown to others, and you can hold 5 upcoming places.',
  enter: 'Enter the code',
  title: 'Confirm your email address',
  confirm: 'Confirm my address',
  done: 'Your address is confirmed',
} as const;

/** What the page behind a mailed link says, by what the link is for. */
export const linkText: Record<
  FlowPurpose,
  { title: string; intro: string; act: string; acting: string; done: string; doneHint: string }
> = {
  verify: {
    title: 'Confirm your email address',
    intro:
      'Press the button to show that this address is yours. If you are not signed in here, you will be, and a password set before ends: you can choose a new one.',
    act: 'Confirm my address',
    acting: 'Confirming...',
    done: 'Your address is confirmed',
    doneHint: 'Confirmations of your upcoming events are on their way.',
  },
  'sign-in': {
    title: 'Sign in',
    intro: 'Press the button to sign in in this browser.',
    act: 'Sign In',
    acting: 'Signing in...',
    done: 'You are signed in',
    doneHint: 'The page that asked for the code knows, too.',
  },
  reset: {
    title: 'Reset Your Password',
    intro: 'Choose a new password. Every device that is signed in is signed out.',
    act: 'Reset Password',
    acting: 'Resetting...',
    done: 'Password Reset Successful',
    doneHint: 'Your password has been reset successfully. You can now log in with your new password.',
  },
  rsvp: {
    title: 'One press, and the place is yours',
    intro:
      'The button registers you for the event that the mail names, and signs you in in this browser. If all places are taken by then, it tells you what is left.',
    act: 'Register',
    acting: 'Registering...',
    done: 'You’re in',
    doneHint:
      'Your place is kept, and a mail with the details is on its way. The page where you typed your address knows, too.',
  },
  email: {
    title: 'Confirm the change of your address',
    intro:
      'Press the button to confirm. If you are not signed in to the account in this browser, its password ends with the change to the new address, and you choose another.',
    act: 'Confirm',
    acting: 'Confirming...',
    done: 'Your new address is confirmed',
    doneHint:
      'You sign in with it from now on. The old address was told, and can take this back for 72 hours.',
  },
};

export const confirmText = {
  next: 'Confirmed. A second code is on its way to the new address: enter it where you asked for the change.',
  nextTitle: 'One more step',
  passwordEnded:
    'The password that was set before has ended, and every other device was signed out. You can choose a new one.',
  choosePassword: 'Choose a password',
  invalidTitle: 'This link does not work',
  invalid:
    'It is not complete, no longer valid, or was used before. Ask for a new mail where you asked for this one.',
  newPassword: 'New Password',
  toEvent: 'To the event',
  goOn: 'Go on where you were',
  refusedTitle: 'You are signed in, but have no place yet',
  waitingTitle: 'You are on the waiting list',
  waiting: 'As soon as a place is free it is yours, and we write to you.',
  home: 'Go to Home',
  signIn: 'Sign In',
} as const;

export const revertText = {
  title: 'Take your address back',
  intro:
    'Your account gets this address again. Every device is signed out, the password ends, and you choose a new one.',
  act: 'Take my address back',
  acting: 'Taking it back...',
  chooseTitle: 'Your address is yours again',
  choose: (email: string) =>
    `Choose a new password for ${email}. Without one nobody can sign in with a password.`,
} as const;

export const pendingEmailText = {
  title: (email: string) => `${email} is waiting to be confirmed`,
  toNew: (email: string) => `Enter the code that we sent to ${email}.`,
  toPresent: (email: string) => `First enter the code that we sent to your present address, ${email}.`,
  unknown: 'Enter the code that we sent you.',
  cancel: 'Keep the present address',
  cancelled: 'Your address stays as it is',
  currentPassword: 'Current Password',
  currentPasswordHint:
    'To change your address. Without it a code goes to the present address first, then one to the new.',
  noPasswordHint: 'A code goes to the present address first, then one to the new.',
} as const;

export const setPasswordText = {
  intro: 'Your account has no password yet: you sign in with mailed codes. You can set one with a code.',
  ask: 'Set a password',
  submit: 'Set Password',
  submitting: 'Setting...',
  done: 'Password set',
  doneDetail: 'You can sign in with it from now on.',
} as const;
