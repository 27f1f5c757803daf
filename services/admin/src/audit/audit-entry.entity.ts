import type { AuditAction } from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Written by the worker, once; the database refuses every change, and the removal of young entries. */
@Entity({ schema: 'admin', name: 'audit_log' })
export class AuditEntryEntity {
  /** That of the outbox row that asked for the line. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  action!: AuditAction;

  @Column('uuid')
  actorId!: string;

  @Column('uuid', { nullable: true })
  subjectId!: string | null;

  /** An event's title; people are named by their accounts. */
  @Column('text', { nullable: true })
  subjectName!: string | null;

  @Column('text', { array: true })
  changed!: string[];

  @Column('timestamptz')
  at!: Date;
}
