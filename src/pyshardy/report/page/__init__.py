"""The report of a plan as one page: data, pictures, and the document that holds both."""
