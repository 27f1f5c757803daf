import { Drawer } from 'antd';
import { type ReactNode, useState } from 'react';
import { commonText } from '../../../strings/common';
import styles from './admin.module.css';

interface DetailDrawerProps {
  title: string;
  size: number;
  /** Once it has left the screen. */
  close: () => void;
  children: ReactNode;
}

/** What is known of one row of a list. Open while it is rendered. */
export function DetailDrawer({ title, size, close, children }: DetailDrawerProps) {
  const [open, setOpen] = useState(true);
  return (
    <Drawer
      open={open}
      title={
        <span role="heading" aria-level={2} dir="auto">
          {title}
        </span>
      }
      size={size}
      closable={{ 'aria-label': commonText.close }}
      onClose={() => setOpen(false)}
      afterOpenChange={(isOpen) => isOpen || close()}
    >
      {children}
    </Drawer>
  );
}

export type Fact = readonly [name: string, value: ReactNode];

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles.facts}>
    {/* Two questions of an event may read the same. */}
    {facts.map(([name, value], index) => (
      <div key={index}>
        <dt dir="auto">{name}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ))}
  </dl>
);
