import { cookiesText as text } from '@meetmark/contracts/texts/cookies';
import { Refusal } from '../../ui/feedback';

export const CookiesNeeded = () => (navigator.cookieEnabled ? null : <Refusal>{text.needed}</Refusal>);
