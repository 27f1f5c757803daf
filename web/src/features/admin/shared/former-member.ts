import { FORMER_MEMBER_NAME } from '@meetmark/contracts/former-member';
import { formerText } from '@meetmark/i18n/texts/closing';

export const withName = <Row extends { name: string }>(row: Row): Row => ({
  ...row,
  name: row.name || formerText.name,
});

/** Translates the name that the server gives former members. */
export const translateName = (name: string): string => (name === FORMER_MEMBER_NAME ? formerText.name : name);
