import type { FormOfAddress, ProductLocale } from '@meetmark/i18n/locales';
import type { BrandPalettes } from './palette.js';
import type { RetentionSetting } from './retention.js';

export interface Sponsor {
  name: string;
  logoUrl: string;
  url: string;
}

export const WEEK_STARTS = ['monday', 'sunday', 'saturday', 'locale'] as const;
export type WeekStart = (typeof WEEK_STARTS)[number];

export const LEGAL_PAGES = ['terms', 'privacy'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];
/** SHA-256 of each page's Markdown, in hex. */
export type LegalVersions = Partial<Record<LegalPage, string>>;

const SERIF = "Georgia,'Times New Roman',serif";
const SANS = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Each key is the name of an npm package after `@fontsource-variable/`. */
export const FONTS = {
  'atkinson-hyperlegible-next': 'Atkinson Hyperlegible Next',
  'ibm-plex-sans': 'IBM Plex Sans',
  inter: 'Inter',
  lora: 'Lora',
  'nunito-sans': 'Nunito Sans',
  'source-sans-3': 'Source Sans 3',
  'source-serif-4': 'Source Serif 4',
  'work-sans': 'Work Sans',
} as const;
export type FontName = keyof typeof FONTS;

/** Adds fallback fonts for email programs, for other alphabets, and until the font has loaded. */
export const fontStack = (font: FontName) =>
  `'${FONTS[font]}',${font === 'lora' || font === 'source-serif-4' ? SERIF : SANS}`;

/** Version 1 comes from `config/community.json`. Retention settings are null if the data is kept. */
export interface CommunitySettings extends Record<RetentionSetting, number | null> {
  name: string;
  headline: string;
  tagline: string;
  supportEmail: string;
  linkedInUrl: string | null;
  /** Path on this site, or https URL. If null, pages show the first letter of the community's name. */
  logoUrl: string | null;
  /** `#rrggbb`. Null means the colours in PALETTES. */
  brandColour: string | null;
  secondColour: string | null;
  font: FontName | null;
  heroUrl: string | null;
  heroPattern: number | null;
  signInButton: boolean;
  sponsors: Sponsor[];
  copyrightYear: number;
  currency: string;
  timeZone: string;
  locale: string;
  /** Languages that the community offers in addition to `locale`. Null means all languages. */
  languages: ProductLocale[] | null;
  formOfAddress: FormOfAddress;
  weekStart: WeekStart;
  paymentNoteDefault: string;
  memberProposals: boolean;
  contactHost: boolean;
  publicAttendees: boolean;
  /**
   * `*` stands for the venue's address. Only administrators see the URL, because it may contain an API key.
   */
  mapUrl: string | null;
  /** If null, emails use the sender name in the environment or, without one, the community's name. */
  senderName: string | null;
  adminSecondFactorRequired: boolean;
  terms: string | null;
  privacy: string | null;
  /** Whether members must accept the current text before they can go on. */
  termsRequired: boolean;
  privacyRequired: boolean;
}

/** Anyone can read these values with GET /api/config. The built web application contains none of them. */
export interface Community extends Omit<
  CommunitySettings,
  | ('heroPattern' | 'mapUrl' | 'senderName' | 'adminSecondFactorRequired')
  | (LegalPage | `${LegalPage}Required` | RetentionSetting)
> {
  heroUrl: string | null;
  brandPalettes: BrandPalettes;
  hasMaps: boolean;
  legalPages: LegalPage[];
}

export interface LegalText {
  text: string;
}

/** Default of `paymentNoteDefault`. While a community keeps this text, screens show a translation. */
export const PAYMENT_NOTE = 'Ask the organiser how to pay';

export const isFree = (price: string | null) => !(Number(price) > 0);

export function formatPrice(
  price: string | null,
  { locale, currency }: Pick<Community, 'locale' | 'currency'>,
  free = 'Free',
): string {
  if (isFree(price)) return free;
  const amount = Number(price);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...(Number.isInteger(amount) ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {}),
  }).format(amount);
}
