import type { FormOfAddress, ProductLocale } from './locales.js';
import type { BrandPalettes } from './palette.js';

/** One sponsor in the footer. */
export interface Sponsor {
  name: string;
  /** Same-origin path or https URL of the logo. */
  logoUrl: string;
  url: string;
}

/** The day that calendars begin with; `locale`: as the language and country of `locale` have it. */
export const WEEK_STARTS = ['monday', 'sunday', 'saturday', 'locale'] as const;
export type WeekStart = (typeof WEEK_STARTS)[number];

export const LEGAL_PAGES = ['terms', 'privacy'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];

const SERIF = "Georgia,'Times New Roman',serif";
const SANS = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The typefaces that a community may choose from, by the names of their packages (`@fontsource-variable/…`). */
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

/** The typeface, and what stands for it where it is not: in most mail programs, for other alphabets, before it has arrived. */
export const fontStack = (font: FontName) =>
  `'${FONTS[font]}',${font === 'lora' || font === 'source-serif-4' ? SERIF : SANS}`;

/** What owners decide about their community. The first version is `config/community.json`. */
export interface CommunitySettings {
  name: string;
  /** The heading of the landing page. */
  headline: string;
  /** One sentence under it. */
  tagline: string;
  supportEmail: string;
  linkedInUrl: string | null;
  /** Same-origin path or web address; null: the first letter of the name. */
  logoUrl: string | null;
  /** `#rrggbb`; null: the colours of PALETTES. */
  brandColour: string | null;
  /** Beside it in pictures, badges and ornaments; null: another shade of the first. */
  secondColour: string | null;
  /** Of pages, shared pictures, icons and mails; null: the product's. */
  font: FontName | null;
  /** Behind the headline of the landing page, as logoUrl; null: the pattern. */
  heroUrl: string | null;
  /** From 1, as an event's; null: circles in the community's colours. */
  heroPattern: number | null;
  /** The landing page shows buttons that open the sign-in panel in place of the panel. */
  signInButton: boolean;
  sponsors: Sponsor[];
  copyrightYear: number;
  /** ISO 4217. */
  currency: string;
  /** IANA name. */
  timeZone: string;
  /** BCP 47. */
  locale: string;
  /** Those that pages offer beside it, and take from a browser that asks for one; null: all that there are. */
  languages: ProductLocale[] | null;
  /** In languages that have two ways: 'Sie' or 'du'. */
  formOfAddress: FormOfAddress;
  weekStart: WeekStart;
  /** How one pays for an event that does not say it. */
  paymentNoteDefault: string;
  /** Whether members may propose events to the organisers. */
  memberProposals: boolean;
  /** Whether people may write to the hosts of events. */
  contactHost: boolean;
  /** Whether people who come may let visitors see it. */
  publicAttendees: boolean;
  /**
   * Where pictures of maps are fetched from, with `*` in place of a venue's address; null: no event shows a map. It may hold a key, so only
   * administrators read it.
   */
  mapUrl: string | null;
  /** Beside the address that mails come from; null: as the environment says, else the community's name. */
  senderName: string | null;
  /** Markdown; null: there is no such page. */
  terms: string | null;
  privacy: string | null;
}

/** The community as everybody sees it, at GET /api/config. Nothing of it is compiled into the SPA. */
export interface Community extends Omit<
  CommunitySettings,
  'heroPattern' | 'mapUrl' | 'senderName' | LegalPage
> {
  /** The picture or, where there is none, the pattern behind the headline of the landing page; null: circles. */
  heroUrl: string | null;
  /** Those that follow the community's colours, else the product's own. */
  brandPalettes: BrandPalettes;
  /** Whether events show a map of their venue, at GET /media/maps/{id}.webp. */
  hasMaps: boolean;
  /** Those that there are, at GET /api/legal/{page}. */
  legalPages: LegalPage[];
}

/** A page at GET /api/legal/{page}. */
export interface LegalText {
  /** Markdown. */
  text: string;
}

/** `paymentNoteDefault` until an owner changes it: people read it in their own language. */
export const PAYMENT_NOTE = 'Ask the organiser how to pay';

/** A missing price and 0 both mean free. */
export const isFree = (price: string | null) => !(Number(price) > 0);

/** 'Free', '£10' or '£12.50': the one way a price is written, on screens and in mails. `free`: in the reader's language. */
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
