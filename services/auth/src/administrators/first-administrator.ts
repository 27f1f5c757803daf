import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AuthConfig } from '../auth.config.js';
import { Administrators } from './administrators.js';

/** ADMIN_EMAIL and ADMIN_PASSWORD at first start make the first administrator (D31). */
@Injectable()
export class FirstAdministrator implements OnApplicationBootstrap {
  private readonly logger = new Logger(FirstAdministrator.name);

  constructor(
    private readonly config: AuthConfig,
    private readonly administrators: Administrators,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { adminEmail: email, adminPassword: password } = this.config;
    if (email === undefined || password === undefined) return;
    const outcome = await this.administrators.ensureFirst({ email, password });
    if (outcome !== 'unchanged') this.logger.log(`the first administrator was ${outcome}`);
  }
}
