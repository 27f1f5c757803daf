import { Controller } from '@nestjs/common';
import { SendTestMail, TestMail, type Nothing } from '@meetmark/contracts';
import { Handles, inTransaction, OutboxWriter, type Call } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../accounts/audit-trail.js';
import { AuthConfig } from '../auth.config.js';
import { requireAdministrator } from '../users/caller.js';

@Controller()
export class TestMailsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AuthConfig,
    private readonly outbox: OutboxWriter,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(SendTestMail)
  send(_request: Nothing, call: Call): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      const actor = await requireAdministrator(manager, call, this.config);
      await this.outbox.add(manager, TestMail, { userId: actor.id });
      await this.audit.record(manager, 'mail.testSent', actor, actor);
    });
  }
}
