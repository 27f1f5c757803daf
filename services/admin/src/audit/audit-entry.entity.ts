import type { AuditAction } from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Written by the worker, once; the database refuses every change. */
@Entity({ schema: 'admin', name: 'audit_log' })
export class AuditEntryEntity {
  /** That of the outbox row that asked for the line. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  action!: AuditAction;

  @Column('uuid')
  actorId!: string;

  @Column('text')
  actorName!: string;

  @Column('uuid', { nullable: true })
  subjectId!: string | null;

  @Column('text', { nullable: true })
  subjectName!: string | null;

  @Column('text', { array: true })
  changed!: string[];

  @Column('timestamptz')
  at!: Date;
}
