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
}
