import { cookiesText as text } from '@meetmark/i18n/texts/cookies';
import { Refusal } from '../../ui/feedback';

export const CookiesNeeded = () => (navigator.cookieEnabled ? null : <Refusal>{text.needed}</Refusal>);
