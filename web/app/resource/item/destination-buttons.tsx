// Buttons that lead to the destinations of remote sessions whose hosts a page is about.
import { LinkButton } from '../../ui/button.tsx';
import type { DestinationLink } from './destination-links.server.ts';

interface DestinationButtonsProps {
  destinations: readonly DestinationLink[];
  labelOf(name: string): string;
}

export function DestinationButtons({ destinations, labelOf }: DestinationButtonsProps) {
  return destinations.map(({ name, to }) => (
    <LinkButton key={to} icon="terminal" to={to}>
      {labelOf(name)}
    </LinkButton>
  ));
}
