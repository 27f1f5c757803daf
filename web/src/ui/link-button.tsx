import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';

export function LinkButton({ to, children }: { to: string; children: ReactNode }) {
  const href = useHref(to);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to);
  return (
    <Button href={href} onClick={(event) => follow(event as never)}>
      {children}
    </Button>
  );
}
