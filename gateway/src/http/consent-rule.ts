import { LEGAL_PAGES, type LegalVersions, type SessionUser } from '@meetmark/contracts';
import { InjectCommunity, type PresentCommunity } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';

@Injectable()
export class ConsentRule {
  constructor(
    @InjectCommunity()
    private readonly community: Pick<PresentCommunity, 'legalVersions' | 'termsRequired' | 'privacyRequired'>,
  ) {}

  /** Whether all of these are the versions that people can read now. */
  isCurrent(versions: LegalVersions): boolean {
    return LEGAL_PAGES.every((page) => versions[page] === undefined || versions[page] === this.current(page));
  }

  /** Returns the versions that the user must accept first, or undefined if there are none. */
  getMissing({ accepted }: Pick<SessionUser, 'accepted'>): LegalVersions | undefined {
    const { termsRequired, privacyRequired } = this.community;
    if (accepted === undefined || !(termsRequired || privacyRequired)) return undefined;
    const missing = LEGAL_PAGES.flatMap((page) => {
      const version = this.community[`${page}Required`] ? this.current(page) : undefined;
      return version === undefined || version === accepted[page] ? [] : [[page, version]];
    });
    return missing.length === 0 ? undefined : Object.fromEntries(missing);
  }

  private current(page: keyof LegalVersions): string | undefined {
    return this.community.legalVersions[page];
  }
}
