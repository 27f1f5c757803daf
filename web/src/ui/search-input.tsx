import { LIMITS } from '@meetmark/contracts/limits';
import { SearchIcon } from './icons';
import styles from './search-input.module.css';

interface SearchInputProps {
  label: string;
  placeholder: string;
  value: string;
  change: (value: string) => void;
  className?: string;
}

export function SearchInput({ label, placeholder, value, change, className }: SearchInputProps) {
  return (
    <span className={`${styles.search} ${className ?? ''}`}>
      <SearchIcon />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={LIMITS.search}
        value={value}
        onChange={(event) => change(event.target.value)}
      />
    </span>
  );
}
