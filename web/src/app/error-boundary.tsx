import { Button } from 'antd';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { commonText } from '../strings/common';
import { EmptyState } from '../ui/empty-state';

/** What a screen that crashed leaves behind: the frame stays, and a reload helps (also when a new release replaced the files). */
export class ErrorBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError = () => ({ crashed: true });

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    if (!this.state.crashed) return this.props.children;
    return (
      <EmptyState title={commonText.crashed} hint={commonText.crashedHint}>
        <Button type="primary" onClick={() => window.location.reload()}>
          {commonText.reload}
        </Button>
      </EmptyState>
    );
  }
}
