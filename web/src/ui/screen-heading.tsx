import { type ReactNode, useEffect } from 'react';
import { useCommunity } from '../api/community';
import styles from './feedback.module.css';
import { Titled } from './titled';

interface ScreenHeadingProps {
  title: string;
  intro?: string;
  help?: ReactNode;
  children?: ReactNode;
}

export function ScreenHeading({ title, intro, help, children }: ScreenHeadingProps) {
  return (
    <div className={styles.heading}>
      <div>
        <Titled help={help}>
          <h1>{title}</h1>
        </Titled>
        {intro && <p>{intro}</p>}
      </div>
      {children && <div className={styles.controls}>{children}</div>}
    </div>
  );
}

export function usePageTitle(title?: string): void {
  const { name } = useCommunity();
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name;
  }, [title, name]);
}
