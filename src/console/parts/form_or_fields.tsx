/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The form of a record that some people may change. */
import type { PropsWithChildren } from "hono/jsx";
import { Button, Form, type FormProps } from "../forms.tsx";
import type { Node } from "../page.ts";

interface Props extends FormProps {
  readonly mayChange: boolean;
  /** The accessible name, and the text of the button. */
  readonly name: string;
  /** What stands in place of the button. */
  readonly buttons?: Node;
}

/** A form with its button, for those who may send it; others see its fields, and can change none. */
export function FormOrFields({ mayChange, buttons, children, ...form }: PropsWithChildren<Props>) {
  if (mayChange) {
    return (
      <Form {...form}>
        {children}
        {buttons ?? <Button>{form.name}</Button>}
      </Form>
    );
  }
  return <fieldset disabled {...(form.class ? { class: form.class } : {})}>{children}</fieldset>;
}
