/** One sponsor in the footer. */
export interface Sponsor {
  name: string;
  /** Same-origin path or https URL of the logo. */
  logoUrl: string;
  url: string;
}

/** `config/community.json`, as served at GET /api/config. Nothing of it is compiled into the SPA. */
export interface Community {
  name: string;
  /** One sentence under the name on the landing page. */
  tagline: string;
  supportEmail: string;
  linkedInUrl: string;
  sponsors: Sponsor[];
  copyrightYear: number;
  /** ISO 4217. */
  currency: string;
  /** IANA name. */
  timeZone: string;
  /** BCP 47. */
  locale: string;
  /** How one pays for an event that does not say it. */
  paymentNoteDefault: string;
  /** Whether members may propose events to the organisers. */
  memberProposals: boolean;
}

/** A missing price and 0 both mean free. */
export const isFree = (price: string | null) => !(Number(price) > 0);

/** 'Free', '£10' or '£12.50': the one way a price is written, on screens and in mails. */
export function formatPrice(
  price: string | null,
  { locale, currency }: Pick<Community, 'locale' | 'currency'>,
): string {
  if (isFree(price)) return 'Free';
  const amount = Number(price);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...(Number.isInteger(amount) ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {}),
  }).format(amount);
}
