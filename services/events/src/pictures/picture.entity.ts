import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A banner, stored once whatever the number of events that show it. */
@Entity({ schema: 'events', name: 'pictures' })
export class PictureEntity {
  /** SHA-256 of the bytes, hexadecimal. */
  @PrimaryColumn('text')
  hash!: string;

  @Column('bytea')
  bytes!: Buffer;

  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
