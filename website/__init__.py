"""The site of the documentation: what of it is made from the code, and how links into the project are followed.

``make docs`` builds it from ``docs`` and ``mkdocs.yml`` into ``build/site``.
"""
