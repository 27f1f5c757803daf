import { DeleteClosedAccounts } from '@meetmark/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HandlesJob } from '../queue/job-handler.js';

/** Calls a database function, because the worker may not delete other accounts. */
@Injectable()
export class DeleteClosedAccountsJob {
  private readonly logger = new Logger(DeleteClosedAccountsJob.name);

  constructor(private readonly dataSource: DataSource) {}

  @HandlesJob(DeleteClosedAccounts)
  async handle(): Promise<void> {
    let deleted = 0;
    while (await this.deleteOne()) deleted += 1;
    if (deleted > 0) this.logger.log(`Deleted ${deleted} closed accounts`);
  }

  private async deleteOne(): Promise<boolean> {
    const [row] = await this.dataSource.query<[{ deleted: boolean }]>(
      'SELECT auth.delete_closed_account() AS deleted',
    );
    return row.deleted;
  }
}
