import type { CommunitySettings, SettingName } from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.js';

@Injectable()
export class AdminSecondFactorRule {
  private readonly isFixed: boolean;

  constructor(
    { adminSecondFactor }: GatewayConfig,
    @InjectCommunity() private readonly community: Pick<CommunitySettings, 'adminSecondFactorRequired'>,
  ) {
    this.isFixed = adminSecondFactor === 'required';
  }

  get isRequired(): boolean {
    return this.isFixed || this.community.adminSecondFactorRequired;
  }

  shownIn<Shown extends { settings: CommunitySettings; locked: SettingName[] }>(shown: Shown): Shown {
    if (!this.isFixed) return shown;
    return {
      ...shown,
      settings: { ...shown.settings, adminSecondFactorRequired: true },
      locked: [...new Set([...shown.locked, 'adminSecondFactorRequired' as const])],
    };
  }
}
